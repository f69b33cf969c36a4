#include "report/peers.h"

#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "core/generated_data.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/numbers.h"
#include "report/table.h"

namespace lamina::bench {
namespace {

constexpr std::string_view kTitle = "Lamina beside other libraries";

std::string format(const char* pattern, double value) {
  char text[32];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string seconds(double value) {
  return format(value < 9.95 ? "%.2f" : "%.0f", value);
}

std::string build_text(const PeerRow& row) {
  const std::string text = seconds(row.build_s);
  if (row.build_threads == 1) return text;
  return text + " (" + std::to_string(row.build_threads) + " threads)";
}

std::string p99_text(const PeerRow& row) {
  if (row.query_us_p99) return microseconds(*row.query_us_p99 * 1000.0);
  return percentile_text(std::nullopt, row.calls);
}

Table row_table(const PeersResult& result, const PeerDataInfo& data) {
  Table table{{"peer", "p50 us", "p99 us", "recall@10", "build s", "reopen s",
               "MB", "note"},
              {}};
  for (const PeerRow& row : result.rows) {
    if (row.data != data.name) continue;
    table.rows.push_back(
        {row.name, microseconds(row.query_us_p50 * 1000.0), p99_text(row),
         recall_text(row.recall_at_10), build_text(row),
         row.reopen_s ? seconds(*row.reopen_s) : "",
         format("%.1f", static_cast<double>(row.bytes) / 1e6), row.note});
  }
  return table;
}

const PeerRatio* find_ratio(const PeersResult& result, std::string_view data,
                            const PeerRatio& pair) {
  for (const PeerRatio& ratio : result.ratios) {
    if (ratio.data == data && ratio.name == pair.name &&
        ratio.over == pair.over)
      return &ratio;
  }
  return nullptr;
}

// A column per data set, a row per pair, in the order of their first showing.
Table ratio_table(const PeersResult& result) {
  Table table{{"time of", "over that of"}, {}};
  for (const PeerDataInfo& data : result.data)
    table.headers.push_back(data.name);
  std::set<std::pair<std::string_view, std::string_view>> told;
  for (const PeerRatio& pair : result.ratios) {
    if (!told.emplace(pair.name, pair.over).second) continue;
    std::vector<std::string> row{pair.name, pair.over};
    for (const PeerDataInfo& data : result.data) {
      const PeerRatio* ratio = find_ratio(result, data.name, pair);
      row.push_back(ratio == nullptr ? "-" : format("%.3f", ratio->p50));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table not_measured_table(const PeersResult& result) {
  Table table{{"not measured", "why"}, {}};
  for (const NotMeasured& entry : result.not_measured)
    table.rows.push_back({entry.what, entry.why});
  return table;
}

std::string data_text(const PeersResult& result, const PeerDataInfo& data) {
  std::string text = std::to_string(data.rows) + " x " +
                     std::to_string(data.dimension) + ", " +
                     std::to_string(data.queries) + " queries, " +
                     std::to_string(data.rounds) + " rounds";
  if (find_generated_shape(data.name) != nullptr) {
    text += ", generated from seed " + std::to_string(result.run.seed);
  }
  return text + ". True answers: " + data.truth + ".";
}

std::string method_text() {
  return "Cosine, top 10, one thread unless the name says two. Every round is "
         "one block of 100 queries that all peers answer in turns, in an order "
         "that changes from round to round. Each turn begins with caches full "
         "of the other peers' data and goes on with its own: the same for "
         "all. Times are of a call, divided "
         "by the queries it answers; p99 takes 368 calls. Every answer was "
         "checked. Lamina's rows named after a kernel are the scan alone with "
         "that instruction set. Memory is what the heap holds after building, "
         "the float32 vectors included; rows of one index share it.";
}

// The first data set in one sentence.
std::string headline(const PeersResult& result) {
  if (result.data.empty()) return "Nothing was measured.";
  const std::string& data = result.data.front().name;
  const PeerRow* lamina = result.row(data, "lamina flat");
  if (lamina == nullptr) return "Lamina was not measured.";
  std::string text = "On " + data + " Lamina answers exactly in " +
                     microseconds(lamina->query_us_p50 * 1000.0) + " us";
  std::string_view before = ": ";
  for (const PeerRatio& ratio : result.ratios) {
    if (ratio.data != data || ratio.name != lamina->name ||
        ratio.over.starts_with("lamina"))
      continue;
    text.append(before).append(format("%.2f", ratio.p50));
    text.append(" of ").append(ratio.over);
    before = ", ";
  }
  return text + ".";
}

std::string run_line(const PeersResult& result) {
  return "machine " + result.run.verdict + "; " + result.run.started_utc +
         ", " + fact(result.environment, "cpu.model") + ", kernels " +
         fact(result.environment, "cpu.kernels_in_use") + ", " +
         fact(result.environment, "libraries.openblas_in_use") + ", " +
         fact(result.environment, "build.type") + " build, " + result.run.mode +
         " run of " + format("%.0f", result.run.wall_s) + " s";
}

}  // namespace

// Rounded down: only an answer without a miss reads as one.
std::string recall_text(double recall) {
  if (recall == 1.0) return "1";
  return format("%.4f", std::floor(recall * 1e4) / 1e4);
}

std::vector<Section> peers_sections(const PeersResult& result) {
  std::vector<Section> sections;
  sections.push_back({"Other libraries: one time over another",
                      method_text() + " Run: " + run_line(result) + ".",
                      {},
                      ratio_table(result)});
  for (const PeerDataInfo& data : result.data) {
    sections.push_back({"Peers on " + data.name,
                        data_text(result, data),
                        {peers_chart(result, data)},
                        row_table(result, data)});
  }
  if (!result.not_measured.empty()) {
    sections.push_back(
        {"Peers not measured", "", {}, not_measured_table(result)});
  }
  return sections;
}

std::string peers_to_html(const PeersResult& result) {
  return html_page(
      kTitle, "<p class=\"lead\">" + escape_html(headline(result)) + "</p>\n",
      peers_sections(result));
}

std::string peers_to_markdown(const PeersResult& result) {
  return "# " + std::string(kTitle) + "\n\n**" + headline(result) + "**\n" +
         sections_to_markdown(peers_sections(result));
}

std::string peers_console_report(const PeersResult& result) {
  std::string text;
  for (const PeerDataInfo& data : result.data) {
    text += "\n" + data.name + ": " + data_text(result, data) + "\n" +
            table_to_text(row_table(result, data));
  }
  text += "\n" + table_to_text(ratio_table(result)) + "\n";
  if (!result.not_measured.empty())
    text += table_to_text(not_measured_table(result)) + "\n";
  return text + headline(result) + "\n" + run_line(result) + "\n";
}

}  // namespace lamina::bench
