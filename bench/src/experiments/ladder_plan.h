#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lamina/options.h"
#include "lamina/result.h"

// What the ladder runs: which arms, how often, and where. The driver and the
// process of a round read the same tables.
namespace lamina::bench {

enum class ArmKind {
  noop,
  kernel,
  sgemv,
  engine,
  codec,
  wire,
  raw_http,
  honest_raw,
  sync_client
};

// How an arm's answers are held against the truth.
enum class Answers {
  none,     // It gives none.
  exact,    // Ids of the truth file, score bits as every other exact arm.
  close,    // Scores of the truth file at each rank, within float32 sums.
  recorded  // Always the exact answer to the first query: the stub's.
};

struct ArmSpec {
  std::string_view id;
  std::string_view label;
  ArmKind kind;
  std::string_view server;  // "E" the real one, "Z" the stub, "" in process
  Answers answers;
  bool injected = false;  // Carries the known extra cost.
  bool binary = false;    // Query and reply are bytes, not JSON.
};

// Twenty: an even number needs a Williams square of as many rows, not twice.
inline constexpr std::array<ArmSpec, 20> kArms{{
    {"P0", "noop", ArmKind::noop, "", Answers::none},
    {"L0", "kernel", ArmKind::kernel, "", Answers::exact},
    {"B0", "sgemv", ArmKind::sgemv, "", Answers::close},
    {"L1", "engine", ArmKind::engine, "", Answers::exact},
    {"L1b", "engine again", ArmKind::engine, "", Answers::exact},
    {"L2", "codec", ArmKind::codec, "", Answers::exact},
    {"L2n", "codec, binary", ArmKind::codec, "", Answers::exact, false, true},
    {"L4", "wire", ArmKind::wire, "E", Answers::exact},
    {"L4b", "wire again", ArmKind::wire, "E", Answers::exact},
    {"L4n", "wire, binary", ArmKind::wire, "E", Answers::exact, false, true},
    {"L5", "raw HTTP", ArmKind::raw_http, "E", Answers::exact},
    {"L6", "honest raw", ArmKind::honest_raw, "E", Answers::exact},
    {"L6b", "honest raw again", ArmKind::honest_raw, "E", Answers::exact},
    {"L7", "sync client", ArmKind::sync_client, "E", Answers::exact},
    {"L7b", "sync client again", ArmKind::sync_client, "E", Answers::exact},
    {"L7i", "sync client + injected", ArmKind::sync_client, "E", Answers::exact,
     true},
    {"Z4", "wire, stub", ArmKind::wire, "Z", Answers::recorded},
    {"Z5", "raw HTTP, stub", ArmKind::raw_http, "Z", Answers::recorded},
    {"Z6", "honest raw, stub", ArmKind::honest_raw, "Z", Answers::recorded},
    {"Z7", "sync client, stub", ArmKind::sync_client, "Z", Answers::recorded},
}};

// Position in kArms; the id must be there.
constexpr std::size_t arm_index(std::string_view id) {
  std::size_t index = 0;
  while (kArms[index].id != id) ++index;
  return index;
}

struct WriteArmSpec {
  std::string_view name;
  Durability durability;
};

inline constexpr std::array<WriteArmSpec, 6> kWriteArms{{
    {"engine", Durability::os},
    {"engine", Durability::fsync},
    {"raw", Durability::os},
    {"raw", Durability::fsync},
    {"client", Durability::os},
    {"client", Durability::fsync},
}};

inline constexpr std::array<std::string_view, 3> kWriteOps{"insert", "update",
                                                           "delete"};

inline constexpr std::size_t kTopK = 10;

// Calls on one connection before anything is timed: delayed acknowledgements
// spare the first few.
inline constexpr std::size_t kPreflightCalls = 60;

// Repetitions, the same for every arm.
struct Counts {
  std::size_t superblocks = 40;
  std::size_t calls = 64;
  std::size_t discard = 4;
  std::size_t write_superblocks = 6;
  std::size_t write_calls = 16;
};

enum class Placement { split, same, free };

std::string_view to_string(Placement placement);
//   invalid_argument: not "split", "same" or "free".
Result<Placement> parse_placement(std::string_view text);

// The CPUs that client and server are held to; none when free.
struct Cpus {
  std::optional<int> client;
  std::optional<int> server;
};
//   resource_exhausted: split on a single CPU.
Result<Cpus> choose_cpus(Placement placement);

struct LadderOptions {
  Counts counts;
  std::size_t rounds = 10;
  std::uint64_t seed = 1;
  std::uint64_t injected_ns = 20'000;
  Placement placement = Placement::split;
  double max_seconds = 900.0;
  bool quick = false;
  bool allow_debug = false;
  std::filesystem::path data;
  std::filesystem::path server;  // The lamina-server program
  // Where databases are made for the run; on the disk that writes are about.
  std::filesystem::path work_directory;
};

}  // namespace lamina::bench
