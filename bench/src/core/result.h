#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/environment.h"
#include "core/statistics.h"
#include "lamina/result.h"

// What a run found, as it stands in the result file. Everything that a report
// prints comes from here, so a report can be made again from the file.
namespace lamina::bench {

inline constexpr std::string_view kSchema = "lamina-bench/1";

struct RunInfo {
  std::string started_utc;
  double wall_s = 0.0;
  std::string mode;  // "quick" or "default"
  std::vector<std::string> arguments;
  std::uint64_t seed = 0;
  std::string verdict;  // "quiet", or "noisy: " and why
  // Rounds that were planned but not run, as --max-seconds was reached.
  std::uint64_t rounds_left_out = 0;

  bool operator==(const RunInfo&) const = default;
};

struct DataInfo {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
  std::uint64_t queries = 0;
  std::uint64_t k = 0;
  std::vector<std::string> checksums;

  bool operator==(const DataInfo&) const = default;
};

struct DesignInfo {
  std::uint64_t rounds = 0;
  std::uint64_t superblocks = 0;
  std::uint64_t calls = 0;
  std::uint64_t discard = 0;
  std::string placement;
  std::vector<std::string> arms;
  std::vector<std::uint64_t> environment_padding;

  bool operator==(const DesignInfo&) const = default;
};

// Means per call, from block totals. What is neither side's CPU is waiting:
// wake-ups, timers, the run queue.
struct CpuPerCall {
  double wall_ns = 0.0;
  double client_ns = 0.0;
  double server_ns = 0.0;

  double dead_ns() const { return wall_ns - client_ns - server_ns; }
  bool operator==(const CpuPerCall&) const = default;
};

struct ArmResult {
  std::string id;      // "L4"
  std::string label;   // "wire"
  std::string body;    // "json", or empty in process
  std::string server;  // "E" real engine server, "Z" zero-work stub, or empty
  Distribution wall_ns;
  CpuPerCall cpu;
  std::vector<std::pair<double, std::uint64_t>> curve;  // (p, ns)
  // Of ids and score bits of every answer, in the order of the queries.
  std::string digest;
  std::uint64_t answers = 0;
  double recall = 0.0;
  std::uint64_t calls_38_to_50_ms = 0;
  std::vector<std::vector<std::uint64_t>> block_p50_ns;  // [round][superblock]

  bool operator==(const ArmResult&) const = default;
};

// A paired difference, in nanoseconds.
struct Contrast {
  std::string id;      // "L5-L4"
  std::string family;  // "ladder", "summary", "client", "writes"
  std::string label;   // "what it adds", for people
  double value = 0.0;
  std::optional<Interval> interval;
  std::vector<double> rounds;
  // Differences below it were seen between equal arms of the same kind.
  double noise_floor_ns = 0.0;
  bool resolved = false;

  bool operator==(const Contrast&) const = default;
};

// A question whose answer is known.
struct Control {
  std::string id;
  double expected_ns = 0.0;
  double value = 0.0;
  std::optional<Interval> interval;
  bool pass = false;
  std::string note;

  bool operator==(const Control&) const = default;
};

struct Check {
  std::string id;
  std::string note;
  double residual = 0.0;
  double limit = 0.0;
  bool pass = false;

  bool operator==(const Check&) const = default;
};

struct WriteResult {
  std::string op;          // "insert", "update", "delete"
  std::string durability;  // "os", "fsync"
  std::string arm;         // "engine", "raw", "client"
  Distribution wall_ns;

  bool operator==(const WriteResult&) const = default;
};

struct NotMeasured {
  std::string what;
  std::string why;

  bool operator==(const NotMeasured&) const = default;
};

struct BenchResult {
  RunInfo run;
  Facts environment;
  DataInfo data;
  DesignInfo design;
  std::vector<ArmResult> arms;
  std::vector<Contrast> contrasts;
  // Of arms with a server, and of arms within one process.
  double noise_floor_ns = 0.0;
  double noise_floor_in_process_ns = 0.0;
  std::vector<Control> controls;
  std::vector<Check> checks;
  Distribution fdatasync_ns;
  std::vector<WriteResult> writes;
  std::vector<NotMeasured> not_measured;
  std::vector<std::string> warnings;

  bool operator==(const BenchResult&) const = default;

  const ArmResult* arm(std::string_view id) const;
  const Contrast* contrast(std::string_view id) const;
  // A control that failed takes the word of every verdict.
  bool proven() const;
};

std::string to_json(const BenchResult& result);

//   invalid_argument: not a result file, or of another schema.
Result<BenchResult> from_json(std::string_view text);

Status write_text_file(const std::filesystem::path& path,
                       std::string_view text);
Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace lamina::bench
