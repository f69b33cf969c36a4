#include "report/sections.h"

#include <array>
#include <cstdio>
#include <string_view>

#include "report/charts.h"
#include "report/numbers.h"

namespace lamina::bench {
namespace {

constexpr std::array<std::string_view, 7> kRungs{"L0", "L1", "L2", "L4",
                                                 "L5", "L6", "L7"};
constexpr std::string_view kNone = "-";

// The step of the ladder that ends at a rung; null for the first one.
const Contrast* step_to(const BenchResult& result, std::string_view rung) {
  for (const Contrast& contrast : result.contrasts) {
    if (contrast.family == "ladder" &&
        contrast.id.starts_with(std::string(rung) + "-"))
      return &contrast;
  }
  return nullptr;
}

std::string per_call(double ns, bool shown) {
  return shown ? microseconds(ns) : std::string(kNone);
}

std::vector<std::string> layer_row(const BenchResult& result,
                                   const ArmResult& arm) {
  const bool served = !arm.server.empty();
  std::vector<std::string> row{
      arm.id + " " + arm.label,
      microseconds(static_cast<double>(arm.wall_ns.p50)),
      percentile_text(arm.wall_ns.p99, arm.wall_ns.count)};
  const Contrast* step = step_to(result, arm.id);
  const ArmResult* whole = result.arm("L7");
  if (step != nullptr && whole != nullptr) {
    row.push_back(signed_microseconds(step->value));
    row.push_back(interval_text(step->interval, step->rounds.size()));
    row.push_back(
        percent(step->value / static_cast<double>(whole->wall_ns.p50)));
  } else {
    row.insert(row.end(), 3, std::string(kNone));
  }
  row.push_back(microseconds(arm.cpu.client_ns));
  row.push_back(per_call(arm.cpu.server_ns, served));
  row.push_back(per_call(arm.cpu.dead_ns(), served));
  row.push_back(step == nullptr ? "" : verdict(*step, result));
  return row;
}

// Medians do not add up like the times they are taken of; this is by how much.
std::vector<std::string> remainder_row(const BenchResult& result) {
  double sum = 0.0;
  for (const Contrast& contrast : result.contrasts) {
    if (contrast.family == "ladder") sum += contrast.value;
  }
  const double whole = static_cast<double>(result.arm("L7")->wall_ns.p50) -
                       static_cast<double>(result.arm("L0")->wall_ns.p50);
  std::vector<std::string> row(10, std::string(kNone));
  row[0] = "non-additivity of medians";
  row[1] = row[2] = row[4] = row[9] = "";
  row[3] = signed_microseconds(whole - sum);
  row[5] = percent((whole - sum) /
                   static_cast<double>(result.arm("L7")->wall_ns.p50));
  row[6] = row[7] = row[8] = "";
  return row;
}

Table contrast_table(const BenchResult& result,
                     std::initializer_list<std::string_view> families) {
  Table table{{"difference", "what", "us", "interval us", "verdict"}, {}};
  for (const Contrast& contrast : result.contrasts) {
    for (std::string_view family : families) {
      if (contrast.family != family) continue;
      table.rows.push_back(
          {contrast.id, contrast.label, signed_microseconds(contrast.value),
           interval_text(contrast.interval, contrast.rounds.size()),
           verdict(contrast, result)});
    }
  }
  return table;
}

std::string where(const ArmResult& arm) {
  if (arm.server.empty()) return "in process";
  return arm.server == "E" ? "real" : "stub";
}

Table cpu_table(const BenchResult& result) {
  Table table{{"arm", "server", "wall us", "client CPU us", "server CPU us",
               "dead us", "dead of wall"},
              {}};
  for (const ArmResult& arm : result.arms) {
    table.rows.push_back({arm.id + " " + arm.label, where(arm),
                          microseconds(arm.cpu.wall_ns),
                          microseconds(arm.cpu.client_ns),
                          per_call(arm.cpu.server_ns, !arm.server.empty()),
                          microseconds(arm.cpu.dead_ns()),
                          percent(arm.cpu.dead_ns() / arm.cpu.wall_ns)});
  }
  return table;
}

Table percentile_table(const BenchResult& result) {
  Table table{{"arm", "calls", "min us", "p50 us", "p90 us", "p99 us",
               "p99.9 us", "max us"},
              {}};
  for (const ArmResult& arm : result.arms) {
    const Distribution& wall = arm.wall_ns;
    table.rows.push_back({arm.id + " " + arm.label, std::to_string(wall.count),
                          microseconds(static_cast<double>(wall.min)),
                          microseconds(static_cast<double>(wall.p50)),
                          percentile_text(wall.p90, wall.count),
                          percentile_text(wall.p99, wall.count),
                          percentile_text(wall.p999, wall.count),
                          microseconds(static_cast<double>(wall.max))});
  }
  return table;
}

Table write_table(const BenchResult& result) {
  Table table{{"write", "durability", "arm", "calls", "p50 us", "p99 us",
               "against the arm before", "interval us", "verdict"},
              {}};
  for (const WriteResult& write : result.writes) {
    std::vector<std::string> row{
        write.op,
        write.durability,
        write.arm,
        std::to_string(write.wall_ns.count),
        microseconds(static_cast<double>(write.wall_ns.p50)),
        percentile_text(write.wall_ns.p99, write.wall_ns.count)};
    const std::string step = write.op + "/" + write.durability + "/" +
                             (write.arm == "raw" ? "raw-engine" : "client-raw");
    const Contrast* contrast =
        write.arm == "engine" ? nullptr : result.contrast(step);
    if (contrast == nullptr) {
      row.insert(row.end(), 3, std::string(kNone));
    } else {
      row.push_back(signed_microseconds(contrast->value));
      row.push_back(interval_text(contrast->interval, contrast->rounds.size()));
      row.push_back(verdict(*contrast, result));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table control_table(const BenchResult& result) {
  Table table{{"control", "expected us", "found us", "interval us", "pass",
               "what it shows"},
              {}};
  for (const Control& control : result.controls) {
    table.rows.push_back({control.id, microseconds(control.expected_ns),
                          microseconds(control.value),
                          interval_text(control.interval, result.design.rounds),
                          control.pass ? "pass" : "FAIL", control.note});
  }
  return table;
}

Table check_table(const BenchResult& result) {
  Table table{{"check", "residual", "limit", "pass", "what must hold"}, {}};
  char residual[32];
  char limit[32];
  for (const Check& check : result.checks) {
    std::snprintf(residual, sizeof residual, "%.4g", check.residual);
    std::snprintf(limit, sizeof limit, "%.4g", check.limit);
    table.rows.push_back(
        {check.id, residual, limit, check.pass ? "pass" : "FAIL", check.note});
  }
  return table;
}

Table answer_table(const BenchResult& result) {
  Table table{{"arm", "answers checked", "recall@10", "digest"}, {}};
  for (const ArmResult& arm : result.arms) {
    if (arm.answers == 0) continue;
    table.rows.push_back({arm.id + " " + arm.label, std::to_string(arm.answers),
                          percent(arm.recall), arm.digest});
  }
  return table;
}

Table environment_table(const BenchResult& result) {
  Table table{{"what", "value"}, {}};
  for (const Fact& entry : result.environment) {
    table.rows.push_back({entry.key, entry.value.empty()
                                         ? "unknown: " + entry.reason
                                         : entry.value});
  }
  const DesignInfo& design = result.design;
  table.rows.push_back(
      {"design", std::to_string(design.rounds) + " rounds x " +
                     std::to_string(design.superblocks) + " superblocks x " +
                     std::to_string(design.calls) + " calls, placement " +
                     design.placement + ", seed " +
                     std::to_string(result.run.seed)});
  table.rows.push_back({"data", result.data.name + ", " +
                                    std::to_string(result.data.rows) + " x " +
                                    std::to_string(result.data.dimension) +
                                    ", top " + std::to_string(result.data.k)});
  for (const std::string& line : result.data.checksums)
    table.rows.push_back({"sha256", line});
  std::string command = "lamina-bench";
  for (const std::string& argument : result.run.arguments)
    command += " " + argument;
  table.rows.push_back({"command", command});
  return table;
}

Table not_measured_table(const BenchResult& result) {
  Table table{{"not measured", "why"}, {}};
  for (const NotMeasured& entry : result.not_measured)
    table.rows.push_back({entry.what, entry.why});
  return table;
}

std::string calibration_text(const BenchResult& result) {
  const Distribution& sync = result.fdatasync_ns;
  return "For scale: appending 1.6 KB and fdatasync on this disk takes " +
         microseconds(static_cast<double>(sync.p50)) + " us (p50 of " +
         std::to_string(sync.count) +
         "). Each block inserts new points, replaces them and deletes them "
         "again; what is read back is checked, and the collection ends as it "
         "began. \"raw\" is cpp-httplib by hand with encoding and decoding.";
}

}  // namespace

std::string headline(const BenchResult& result) {
  const ArmResult& engine = *result.arm("L1");
  const ArmResult& client = *result.arm("L7");
  const Contrast& http = *result.contrast("L7-L1");
  const Contrast& library = *result.contrast("L7-L6");
  const auto median = [](const ArmResult& arm) {
    return microseconds(static_cast<double>(arm.wall_ns.p50));
  };
  return "An exact query takes " + median(engine) + " us in process and " +
         median(client) + " us through lamina::Client; all of HTTP adds " +
         signed_microseconds(http.value) + " us (" + verdict(http, result) +
         "), and the client library against cpp-httplib by hand " +
         signed_microseconds(library.value) + " us (" +
         verdict(library, result) + ").";
}

std::string controls_line(const BenchResult& result) {
  std::string line = "machine " + result.run.verdict + "; noise floor " +
                     microseconds(result.noise_floor_ns) +
                     " us with a server, " +
                     microseconds(result.noise_floor_in_process_ns) +
                     " us in process; controls ";
  std::size_t failed = 0;
  for (const Control& control : result.controls) failed += control.pass ? 0 : 1;
  line += failed == 0 ? "pass" : std::to_string(failed) + " FAILED";
  failed = 0;
  std::uint64_t answers = 0;
  for (const Check& check : result.checks) failed += check.pass ? 0 : 1;
  for (const ArmResult& arm : result.arms) answers += arm.answers;
  line += "; checks " + (failed == 0 ? std::string("pass")
                                     : std::to_string(failed) + " FAILED");
  return line + "; " + std::to_string(answers) + " answers checked";
}

Table layer_table(const BenchResult& result) {
  Table table{{"rung", "p50 us", "p99 us", "adds us", "interval us", "of whole",
               "client CPU us", "server CPU us", "dead us", "verdict"},
              {}};
  for (std::string_view rung : kRungs)
    table.rows.push_back(layer_row(result, *result.arm(rung)));
  table.rows.push_back(remainder_row(result));
  table.rows.push_back(layer_row(result, *result.arm("B0")));
  table.rows.back()[0] = "for scale: OpenBLAS sgemv";
  return table;
}

std::vector<Section> sections(const BenchResult& result) {
  return {
      {"What each layer adds to one query",
       "Each rung adds one thing to the one before. Differences are paired: "
       "both arms answered the same queries within the same superblock. The "
       "interval is the exact sign-test interval over rounds of fresh "
       "processes. A difference is resolved when its interval excludes zero "
       "and it is larger than the noise floor. CPU and dead time are means.",
       {waterfall_chart(result)},
       layer_table(result)},
      {"Work or waiting",
       "Wall time is the client's CPU time, the server's, and time in which "
       "neither ran: wake-ups, timers, the run queue. It is below zero where "
       "both ran at once. Means over all calls.",
       {cpu_chart(result)},
       cpu_table(result)},
      {"What the client costs, by two routes",
       "Against a server that does no work only the client is left. The last "
       "row is the difference between both routes: when it is resolved, the "
       "client's cost depends on what the server does meanwhile.",
       {},
       contrast_table(result, {"summary", "client"})},
      {"How the times are spread",
       "Every curve stops at the last percentile that its calls can carry.",
       {percentile_chart(result)},
       percentile_table(result)},
      {"Effect and noise at one look",
       "One dot is one superblock, a bar the median of its round. The upper "
       "strips are pairs of equal arms: what they show is noise. The controls "
       "below have known answers; when one fails, no verdict is given.",
       {strip_chart(result)},
       control_table(result)},
      {"Writes",
       calibration_text(result),
       {writes_chart(result)},
       write_table(result)},
      {"Checks", "", {}, check_table(result)},
      {"Answers",
       "Every answer was checked outside the timed part. Arms with one digest "
       "gave the same ids and score bits, call by call; the stub's arms have "
       "one answer of their own.",
       {},
       answer_table(result)},
      {"Not measured", "", {}, not_measured_table(result)},
      {"Environment", "", {}, environment_table(result)},
  };
}

std::string console_report(const BenchResult& result) {
  std::string text =
      "\n" + headline(result) + "\n" + controls_line(result) + "\n\n" +
      table_to_text(layer_table(result)) + "\n" +
      table_to_text(contrast_table(result, {"summary", "client"})) + "\n" +
      calibration_text(result) + "\n" + table_to_text(write_table(result)) +
      "\n";
  for (const Control& control : result.controls) {
    if (!control.pass)
      text += "control " + control.id + " FAILED: expected " +
              microseconds(control.expected_ns) + " us, found " +
              microseconds(control.value) + " us\n";
  }
  for (const Check& check : result.checks) {
    if (!check.pass)
      text += "check " + check.id + " FAILED: " + check.note + "\n";
  }
  for (const std::string& warning : result.warnings)
    text += "warning: " + warning + "\n";
  return text;
}

}  // namespace lamina::bench
