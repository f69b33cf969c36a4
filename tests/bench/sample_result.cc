#include "sample_result.h"

#include <string>

#include "experiments/analysis.h"

namespace lamina::bench {
namespace {

constexpr std::size_t kRounds = 6;
constexpr std::size_t kSuperblocks = 2;
constexpr std::size_t kCalls = 40;

// Nanoseconds that an arm takes: apart enough that every step is resolved.
std::uint64_t base_time(std::size_t arm) { return 50'000 + 10'000 * arm; }

std::uint64_t time_of(std::size_t arm) {
  const std::string_view id = kArms[arm].id;
  if (id == "L1b") return base_time(arm_index("L1"));
  if (id == "L6b") return base_time(arm_index("L6"));
  if (id == "L4b") return base_time(arm_index("L4"));
  if (id == "L7b") return base_time(arm_index("L7"));
  if (id == "L7i") return base_time(arm_index("L7")) + 20'000;
  return base_time(arm);
}

ArmRound arm_round(std::size_t arm, std::size_t round) {
  ArmRound told;
  for (std::size_t b = 0; b < kSuperblocks; ++b) {
    std::vector<std::uint64_t>& calls = told.wall_ns.emplace_back();
    for (std::size_t call = 0; call < kCalls; ++call)
      calls.push_back(time_of(arm) + call * 10 + round);
    const std::uint64_t wall = time_of(arm) * kCalls;
    // Half of an uninjected call is the client's.
    const std::uint64_t injected = kArms[arm].injected ? 20'000 * kCalls : 0;
    const std::uint64_t client = (wall - injected) / 2 + injected;
    told.totals.push_back({wall, client, (wall - injected) / 4});
  }
  told.digest = kArms[arm].answers == Answers::recorded ? 2 : 1;
  told.answers = kArms[arm].answers == Answers::none ? 0 : 80;
  told.hits = told.answers * kTopK;
  told.hits_in_truth = told.hits;
  return told;
}

}  // namespace

BenchResult sample_result() {
  std::vector<RoundResult> rounds(kRounds);
  for (std::size_t r = 0; r < kRounds; ++r) {
    for (std::size_t arm = 0; arm < kArms.size(); ++arm)
      rounds[r].arms.push_back(arm_round(arm, r));
    for (std::size_t arm = 0; arm < kWriteArms.size(); ++arm) {
      rounds[r].writes.push_back(
          {{3, std::vector<std::vector<std::uint64_t>>(
                   kSuperblocks,
                   std::vector<std::uint64_t>(8, 20'000 + 9'000 * arm))}});
    }
  }
  LadderOptions options;
  options.rounds = kRounds;
  BenchResult result;
  result.run = {"2024-02-03T04:05:06Z",
                12.5,
                "default",
                {"ladder", "--seed=1"},
                1,
                "quiet",
                0};
  result.environment = {{"cpu.model", "A <CPU> & more", ""},
                        {"cpu.governor", "", "not exposed"},
                        {"kernel", "Linux 1.2", ""}};
  result.data = {"words", 100, 384, 10, kTopK, {"abc  file"}};
  result.design = {kRounds, kSuperblocks, kCalls,    4,
                   "split", {"L0", "L1"}, {17, 4000}};
  analyse(rounds, options, &result);
  result.fdatasync_ns = describe({100'000, 110'000, 120'000});
  result.not_measured = {{"the moon", "too far"}};
  result.warnings = {"a warning"};
  return result;
}

}  // namespace lamina::bench
