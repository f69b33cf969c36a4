#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/ladder_plan.h"
#include "lamina/result.h"

// One round of the ladder: everything that one fresh client process measures.
namespace lamina::bench {

struct RoundOptions {
  Counts counts;
  std::uint64_t index = 0;  // Of the round: which queries, which order
  std::uint64_t seed = 1;
  std::uint64_t injected_ns = 0;
  std::filesystem::path data;
  std::filesystem::path engine_directory;  // Holds the collection to write
  int server_port = 0;
  int server_pid = 0;
  int stub_port = 0;
  int stub_pid = 0;
};

// Sums over the timed calls of one block, edge to edge.
struct BlockTotals {
  std::uint64_t wall_ns = 0;
  std::uint64_t client_cpu_ns = 0;
  std::uint64_t server_cpu_ns = 0;
};

struct ArmRound {
  std::vector<std::vector<std::uint64_t>> wall_ns;  // [superblock][call]
  std::vector<BlockTotals> totals;                  // [superblock]
  std::uint64_t digest = 0;                         // Of all answers
  std::uint64_t answers = 0;
  std::uint64_t hits_in_truth = 0;
  std::uint64_t hits = 0;
  std::uint64_t preflight_stalls = 0;  // Calls that took 38 to 50 ms
};

struct WriteArmRound {
  // [operation][superblock][call]
  std::vector<std::vector<std::vector<std::uint64_t>>> wall_ns;
};

struct RoundResult {
  std::vector<ArmRound> arms;         // As kArms
  std::vector<WriteArmRound> writes;  // As kWriteArms
  std::string kernels;                // Instruction set in use
  std::string blas;
};

// Measures. Prints a line to standard output after each superblock, so that the
// parent can tell how far it is.
//   internal: a wrong answer, with the arm and the query; nothing is returned
//   then, as times of wrong answers are worth nothing.
Result<RoundResult> run_round(const RoundOptions& options);

// The form in which a round reaches the driver.
std::string round_to_json(const RoundResult& round);
Result<RoundResult> round_from_json(std::string_view text);

}  // namespace lamina::bench
