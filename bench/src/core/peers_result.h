#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.h"
#include "core/result.h"
#include "core/statistics.h"
#include "lamina/result.h"

// What a run of `lamina-bench peers` found, as it stands in its result file.
namespace lamina::bench {

inline constexpr std::string_view kPeersSchema = "lamina-peers/1";

struct PeerDataInfo {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
  std::uint64_t queries = 0;
  std::string truth;  // Where the true answers are from
  // Blocks of queries that every peer answered in turns.
  std::uint64_t rounds = 0;

  bool operator==(const PeerDataInfo&) const = default;
};

// One way of searching one data set.
struct PeerRow {
  std::string name;
  std::string data;
  // Wall time of a call, divided by the queries it answered.
  double query_us_p50 = 0.0;
  std::optional<double> query_us_p99;  // Absent: too few calls to tell
  double recall_at_10 = 0.0;
  double build_s = 0.0;
  std::optional<double> reopen_s;  // Absent: not kept in files
  std::uint64_t bytes = 0;         // Held after building, the vectors included
  std::uint64_t queries_per_call = 1;
  std::uint64_t threads = 1;
  std::uint64_t build_threads = 1;
  std::uint64_t calls = 0;
  std::string note;
  std::vector<double> round_us_p50;  // The median of each round's block

  bool operator==(const PeerRow&) const = default;
};

// Time of `name` over that of `over`, below one when `name` is faster: the
// median of the rounds' ratios, each of the same queries.
struct PeerRatio {
  std::string data;
  std::string name;
  std::string over;
  double p50 = 0.0;
  std::optional<Interval> interval;

  bool operator==(const PeerRatio&) const = default;
};

struct PeersResult {
  RunInfo run;
  Facts environment;  // Only what is known
  std::vector<PeerDataInfo> data;
  std::vector<PeerRow> rows;
  std::vector<PeerRatio> ratios;
  std::vector<NotMeasured> not_measured;

  bool operator==(const PeersResult&) const = default;

  const PeerRow* row(std::string_view data_name, std::string_view name) const;
};

std::string peers_to_json(const PeersResult& result);

//   invalid_argument: not such a result file, or of another schema.
Result<PeersResult> peers_from_json(std::string_view text);

}  // namespace lamina::bench
