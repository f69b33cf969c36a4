#include "experiments/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace lamina::bench {
namespace {

constexpr double kConfidence = 0.95;

struct PlannedTerm {
  std::string_view arm;
  double weight;
};

struct PlannedContrast {
  std::string_view id;
  std::string_view family;
  std::string_view label;
  std::vector<PlannedTerm> terms;
};

// "B-A" for what B takes more than A.
PlannedContrast step(std::string_view id, std::string_view family,
                     std::string_view label, std::string_view upper,
                     std::string_view lower) {
  return {id, family, label, {{upper, 1.0}, {lower, -1.0}}};
}

std::vector<PlannedContrast> planned_contrasts() {
  return {
      step("L1-L0", "ladder", "the engine: lock, checks, result", "L1", "L0"),
      step("L2-L1", "ladder", "server half of the codec, dispatch", "L2", "L1"),
      step("L4-L2", "ladder", "HTTP, sockets, the process boundary", "L4",
           "L2"),
      step("L5-L4", "ladder", "cpp-httplib's client", "L5", "L4"),
      step("L6-L5", "ladder", "client half of the codec", "L6", "L5"),
      step("L7-L6", "ladder", "lamina::Client instead of honest raw", "L7",
           "L6"),
      step("L7-L1", "summary", "all of HTTP, against the engine in process",
           "L7", "L1"),
      step("L7-L4", "summary", "lamina::Client over the bare wire", "L7", "L4"),
      step("L4-Z4", "summary", "what the server works", "L4", "Z4"),
      step("L2n-L1", "summary", "server half of the codec, binary", "L2n",
           "L1"),
      step("L2-L2n", "summary", "JSON instead of binary, in the server", "L2",
           "L2n"),
      step("L4-L4n", "summary", "JSON instead of binary, over the wire", "L4",
           "L4n"),
      step("L1-B0", "summary", "the engine against OpenBLAS sgemv", "L1", "B0"),
      step("Z5-Z4", "client", "cpp-httplib's client, against the stub", "Z5",
           "Z4"),
      step("Z6-Z4", "client", "honest raw, against the stub", "Z6", "Z4"),
      step("Z7-Z4", "client", "lamina::Client, against the stub", "Z7", "Z4"),
      {"(L7-L4)-(Z7-Z4)",
       "client",
       "lamina::Client: real server minus stub",
       {{"L7", 1.0}, {"L4", -1.0}, {"Z7", -1.0}, {"Z4", 1.0}}},
  };
}

constexpr std::array<std::string_view, 7> kLadder{"L0", "L1", "L2", "L4",
                                                  "L5", "L6", "L7"};

double block_median(std::vector<std::uint64_t> calls) {
  std::sort(calls.begin(), calls.end());
  return static_cast<double>(percentile(calls, 0.5));
}

// One number per block, for every arm.
template <class Number>
std::vector<RoundBlocks> blocks_of(std::span<const RoundResult> rounds,
                                   Number number) {
  std::vector<RoundBlocks> arms(kArms.size());
  for (const RoundResult& round : rounds) {
    for (std::size_t a = 0; a < kArms.size(); ++a) {
      std::vector<double>& blocks = arms[a].emplace_back();
      for (std::size_t b = 0; b < round.arms[a].wall_ns.size(); ++b)
        blocks.push_back(number(round.arms[a], b));
    }
  }
  return arms;
}

double cpu_per_call(std::uint64_t total, const ArmRound& arm, std::size_t b) {
  return static_cast<double>(total) /
         static_cast<double>(arm.wall_ns[b].size());
}

// Percentiles for a curve: close together where a reader looks.
std::vector<std::pair<double, std::uint64_t>> curve_of(
    std::vector<std::uint64_t> samples) {
  std::sort(samples.begin(), samples.end());
  std::vector<std::pair<double, std::uint64_t>> curve;
  for (double p :
       {0.0,   0.05,  0.1,   0.2,   0.3,    0.4,   0.5,   0.6,   0.7,
        0.8,   0.85,  0.9,   0.93,  0.95,   0.965, 0.98,  0.985, 0.99,
        0.993, 0.995, 0.997, 0.998, 0.9985, 0.999, 0.9995}) {
    if (p > 0.0 && samples.size() < samples_needed(p)) break;
    curve.emplace_back(p, percentile(samples, p));
  }
  return curve;
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(value));
  return text;
}

class Analysis {
 public:
  Analysis(std::span<const RoundResult> rounds, const LadderOptions& options,
           BenchResult* result)
      : rounds_(rounds), options_(options), result_(result) {
    medians_ = blocks_of(rounds, [](const ArmRound& arm, std::size_t b) {
      return block_median(arm.wall_ns[b]);
    });
  }

  void add_arms();
  void add_noise_floor();
  void add_contrasts();
  void add_injection();
  void add_answer_checks();
  void add_conservation_checks();
  void add_writes();

 private:
  ArmResult arm_result(std::size_t index) const;
  Contrast contrast(const PlannedContrast& plan) const;
  static void finish(Contrast* contrast, const Estimate& told, double floor);
  // Adds the control; returns the largest difference it does not exclude.
  double null_control(std::string_view id, std::string_view again,
                      std::string_view arm);
  void add_injection_control(std::string_view id, double expected,
                             const std::vector<RoundBlocks>& blocks,
                             std::string note);
  void add_write_contrasts(std::string_view op, Durability durability,
                           std::size_t op_index);
  RoundBlocks write_blocks(std::size_t arm, std::size_t op) const;
  // Widened, so that all steps of the ladder hold together.
  double widened() const {
    return 1.0 - (1.0 - kConfidence) / static_cast<double>(kLadder.size() - 1);
  }

  std::span<const RoundResult> rounds_;
  const LadderOptions& options_;
  BenchResult* result_;
  std::vector<RoundBlocks> medians_;
};

ArmResult Analysis::arm_result(std::size_t index) const {
  const ArmSpec& spec = kArms[index];
  ArmResult told;
  told.id = spec.id;
  told.label = spec.label;
  told.server = spec.server;
  if (!spec.server.empty() || spec.kind == ArmKind::codec) {
    told.body = spec.binary ? "binary" : "json";
  }

  std::vector<std::uint64_t> calls;
  BlockTotals sum;
  std::uint64_t hits = 0;
  std::uint64_t hits_in_truth = 0;
  std::uint64_t digest = 0;
  for (std::size_t r = 0; r < rounds_.size(); ++r) {
    const ArmRound& arm = rounds_[r].arms[index];
    std::vector<std::uint64_t>& blocks = told.block_p50_ns.emplace_back();
    for (std::size_t b = 0; b < arm.wall_ns.size(); ++b) {
      calls.insert(calls.end(), arm.wall_ns[b].begin(), arm.wall_ns[b].end());
      blocks.push_back(static_cast<std::uint64_t>(medians_[index][r][b]));
      sum.wall_ns += arm.totals[b].wall_ns;
      sum.client_cpu_ns += arm.totals[b].client_cpu_ns;
      sum.server_cpu_ns += arm.totals[b].server_cpu_ns;
    }
    digest = digest * 0x100000001b3u ^ arm.digest;
    told.answers += arm.answers;
    hits += arm.hits;
    hits_in_truth += arm.hits_in_truth;
  }
  const auto count = static_cast<double>(calls.size());
  told.cpu = {static_cast<double>(sum.wall_ns) / count,
              static_cast<double>(sum.client_cpu_ns) / count,
              static_cast<double>(sum.server_cpu_ns) / count};
  told.digest = hex(digest);
  told.recall = hits == 0 ? 0.0
                          : static_cast<double>(hits_in_truth) /
                                static_cast<double>(hits);
  told.calls_38_to_50_ms = static_cast<std::uint64_t>(std::count_if(
      calls.begin(), calls.end(),
      [](std::uint64_t ns) { return ns >= 38'000'000 && ns <= 50'000'000; }));
  told.curve = curve_of(calls);
  told.wall_ns = describe(std::move(calls));
  return told;
}

void Analysis::add_arms() {
  for (std::size_t index = 0; index < kArms.size(); ++index)
    result_->arms.push_back(arm_result(index));
}

double Analysis::null_control(std::string_view id, std::string_view again,
                              std::string_view arm) {
  const std::array<Term, 2> terms{
      {{arm_index(again), 1.0}, {arm_index(arm), -1.0}}};
  const Estimate told = estimate(combine(medians_, terms), kConfidence);
  Control control{
      std::string(id), 0.0,  told.value,
      told.interval,   true, "two equal arms; the interval must hold zero"};
  if (told.interval) {
    control.pass = told.interval->contains(0.0);
  } else {
    control.note += "; no interval (R=" + std::to_string(rounds_.size()) + ")";
  }
  result_->controls.push_back(std::move(control));
  return told.largest_bound();
}

void Analysis::add_noise_floor() {
  double& in_process = result_->noise_floor_in_process_ns;
  double& served = result_->noise_floor_ns;
  in_process = null_control("AA_engine", "L1b", "L1");
  for (const auto& [id, again, arm] : {std::array{"AA_wire", "L4b", "L4"},
                                       {"AA_honest", "L6b", "L6"},
                                       {"AA_client", "L7b", "L7"}})
    served = std::max(served, null_control(id, again, arm));
}

void Analysis::finish(Contrast* contrast, const Estimate& told, double floor) {
  contrast->noise_floor_ns = floor;
  contrast->value = told.value;
  contrast->interval = told.interval;
  contrast->rounds = told.rounds;
  contrast->resolved = told.interval && !told.interval->contains(0.0) &&
                       std::abs(told.value) > floor;
}

Contrast Analysis::contrast(const PlannedContrast& plan) const {
  Contrast contrast;
  contrast.id = plan.id;
  contrast.family = plan.family;
  contrast.label = plan.label;
  std::vector<Term> terms;
  double floor = result_->noise_floor_in_process_ns;
  for (const PlannedTerm& term : plan.terms) {
    terms.push_back({arm_index(term.arm), term.weight});
    if (!kArms[terms.back().arm].server.empty())
      floor = std::max(floor, result_->noise_floor_ns);
  }
  finish(&contrast, estimate(combine(medians_, terms), widened()), floor);
  return contrast;
}

void Analysis::add_contrasts() {
  for (const PlannedContrast& plan : planned_contrasts())
    result_->contrasts.push_back(contrast(plan));
}

void Analysis::add_injection_control(std::string_view id, double expected,
                                     const std::vector<RoundBlocks>& blocks,
                                     std::string note) {
  const std::array<Term, 2> terms{
      {{arm_index("L7i"), 1.0}, {arm_index("L7"), -1.0}}};
  const Estimate told = estimate(combine(blocks, terms), kConfidence);
  const auto injected = static_cast<double>(options_.injected_ns);
  // A quick run has no interval to speak of: it only has to find the injected
  // two milliseconds within a factor of two.
  const double allowed =
      options_.quick ? injected / 2.0
                     : std::max(result_->noise_floor_ns, injected / 10.0);
  result_->controls.push_back(
      {std::string(id), expected, told.value, told.interval,
       std::abs(told.value - expected) <= allowed, std::move(note)});
}

void Analysis::add_injection() {
  const auto injected = static_cast<double>(options_.injected_ns);
  add_injection_control("inject_client_wall", injected, medians_,
                        "a known cost in the client arm must show in the time");
  add_injection_control("inject_client_cpu", injected,
                        blocks_of(rounds_,
                                  [](const ArmRound& arm, std::size_t b) {
                                    return cpu_per_call(
                                        arm.totals[b].client_cpu_ns, arm, b);
                                  }),
                        "... and in the client's CPU time");
  add_injection_control("inject_server_cpu", 0.0,
                        blocks_of(rounds_,
                                  [](const ArmRound& arm, std::size_t b) {
                                    return cpu_per_call(
                                        arm.totals[b].server_cpu_ns, arm, b);
                                  }),
                        "... and not in the server's");
}

void Analysis::add_answer_checks() {
  const ArmResult& engine = *result_->arm("L1");
  const ArmResult& recorded = *result_->arm("Z4");
  double differing = 0.0;
  std::uint64_t answers = 0;
  for (std::size_t index = 0; index < kArms.size(); ++index) {
    const ArmResult& arm = result_->arms[index];
    const Answers kind = kArms[index].answers;
    answers += arm.answers;
    if (kind == Answers::exact && arm.digest != engine.digest) ++differing;
    if (kind == Answers::recorded && arm.digest != recorded.digest) ++differing;
  }
  result_->checks.push_back(
      {"answers_equal",
       std::to_string(answers) +
           " answers: ids as the truth file on every rung, score bits equal "
           "over all exact rungs",
       differing, 0.0, differing == 0.0});

  std::uint64_t stalls = 0;
  double worst_share = 0.0;
  for (const ArmResult& arm : result_->arms) {
    stalls += arm.calls_38_to_50_ms;
    worst_share =
        std::max(worst_share, static_cast<double>(arm.calls_38_to_50_ms) /
                                  static_cast<double>(arm.wall_ns.count));
  }
  // Nagle's stall hits most calls of an arm, a busy scheduler one in many.
  result_->checks.push_back(
      {"no_40_ms",
       std::to_string(stalls) +
           " calls took 38 to 50 ms; largest share in one arm",
       worst_share, 0.01, worst_share <= 0.01});
}

void Analysis::add_conservation_checks() {
  std::vector<Term> steps;
  for (std::size_t i = 1; i < kLadder.size(); ++i) {
    steps.push_back({arm_index(kLadder[i]), 1.0});
    steps.push_back({arm_index(kLadder[i - 1]), -1.0});
  }
  steps.push_back({arm_index(kLadder.back()), -1.0});
  steps.push_back({arm_index(kLadder.front()), 1.0});
  double residual = 0.0;
  for (const std::vector<double>& blocks : combine(medians_, steps)) {
    for (double block : blocks) residual = std::max(residual, std::abs(block));
  }
  result_->checks.push_back(
      {"telescoping", "within each superblock the steps sum to the whole (ns)",
       residual, 1e-3, residual <= 1e-3});

  for (const ArmResult& arm : result_->arms) {
    if (arm.server.empty()) continue;
    // One call in flight: a side runs for no longer than the call takes, and
    // on one CPU both together do not. Apart they may overlap, as when a
    // request comes in two pieces: then the dead time is below zero.
    const bool one_cpu = options_.placement == Placement::same;
    const double busy = one_cpu
                            ? arm.cpu.client_ns + arm.cpu.server_ns
                            : std::max(arm.cpu.client_ns, arm.cpu.server_ns);
    const double excess = busy / arm.cpu.wall_ns - 1.0;
    result_->checks.push_back({"cpu_within_wall " + arm.id,
                               one_cpu ? "client CPU + server CPU <= wall"
                                       : "client CPU, server CPU <= wall",
                               excess, 0.05, excess <= 0.05});
  }
}

RoundBlocks Analysis::write_blocks(std::size_t arm, std::size_t op) const {
  RoundBlocks blocks;
  for (const RoundResult& round : rounds_) {
    std::vector<double>& medians = blocks.emplace_back();
    for (const std::vector<std::uint64_t>& calls :
         round.writes[arm].wall_ns[op])
      medians.push_back(block_median(calls));
  }
  return blocks;
}

void Analysis::add_write_contrasts(std::string_view op, Durability durability,
                                   std::size_t op_index) {
  std::vector<RoundBlocks> arms;  // engine, raw, client
  for (std::size_t index = 0; index < kWriteArms.size(); ++index) {
    if (kWriteArms[index].durability == durability)
      arms.push_back(write_blocks(index, op_index));
  }
  const std::string name =
      std::string(op) + "/" + std::string(to_string(durability)) + "/";
  const auto add = [&](const char* id, const char* label, std::size_t upper,
                       std::size_t lower) {
    Contrast contrast;
    contrast.id = name + id;
    contrast.family = "writes";
    contrast.label = label;
    const std::array<Term, 2> terms{{{upper, 1.0}, {lower, -1.0}}};
    finish(&contrast, estimate(combine(arms, terms), kConfidence),
           result_->noise_floor_ns);
    result_->contrasts.push_back(std::move(contrast));
  };
  add("raw-engine", "HTTP by hand, against the engine", 1, 0);
  add("client-raw", "lamina::Client, against HTTP by hand", 2, 1);
}

void Analysis::add_writes() {
  for (std::size_t op = 0; op < kWriteOps.size(); ++op) {
    for (Durability durability : {Durability::os, Durability::fsync}) {
      for (std::size_t index = 0; index < kWriteArms.size(); ++index) {
        if (kWriteArms[index].durability != durability) continue;
        std::vector<std::uint64_t> calls;
        for (const RoundResult& round : rounds_) {
          for (const auto& block : round.writes[index].wall_ns[op])
            calls.insert(calls.end(), block.begin(), block.end());
        }
        result_->writes.push_back(
            {std::string(kWriteOps[op]), std::string(to_string(durability)),
             std::string(kWriteArms[index].name), describe(std::move(calls))});
      }
      add_write_contrasts(kWriteOps[op], durability, op);
    }
  }
}

}  // namespace

void analyse(std::span<const RoundResult> rounds, const LadderOptions& options,
             BenchResult* result) {
  Analysis analysis(rounds, options, result);
  analysis.add_arms();
  analysis.add_noise_floor();
  analysis.add_contrasts();
  analysis.add_injection();
  analysis.add_answer_checks();
  analysis.add_conservation_checks();
  analysis.add_writes();
}

Status check_preflight(const RoundResult& round) {
  // Nagle's algorithm stalls nearly every call, a busy machine single ones.
  constexpr std::uint64_t kPattern = kPreflightCalls / 10;
  for (std::size_t index = 0; index < kArms.size(); ++index) {
    const std::uint64_t stalls = round.arms[index].preflight_stalls;
    if (stalls <= kPattern) continue;
    return Status::internal(
        "arm " + std::string(kArms[index].id) + ": " + std::to_string(stalls) +
        " of " + std::to_string(kPreflightCalls) +
        " calls took 38 to 50 ms. That is Nagle's algorithm waiting for a "
        "delayed acknowledgement: a side sends a message in two writes "
        "without TCP_NODELAY. Times of such a connection are those of the "
        "TCP stack's timers; nothing is reported.");
  }
  return {};
}

}  // namespace lamina::bench
