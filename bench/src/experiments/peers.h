#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/peers_result.h"

namespace lamina::bench {

struct PeersOptions {
  std::filesystem::path data;  // Directory of the stored data set
  // Where databases are made for the run.
  std::filesystem::path work_directory;
  std::vector<std::string> names;  // Data sets; the default ones when empty
  std::uint64_t seed = 1;          // Of data and of the order of turns
  std::uint64_t rounds = 0;        // Zero: as many as suit the data set
  bool quick = false;  // The stored data set, exact peers: checks, no times
  // A million rows as well, and graphs that take minutes to link
  bool full = false;
  bool allow_debug = false;
};

// The data sets of a run without names.
std::vector<std::string> default_data_names(const PeersOptions& options);

// Runs every peer on every data set, one data set in memory at a time. A round
// is one block of queries that all peers answer in turns, each at every place
// of the order once. Tells how far it is on stderr.
//   invalid_argument: no such data set, or a build that cannot be timed.
//   internal: Lamina missed a true neighbour; there is nothing to report.
Result<PeersResult> run_peers(const PeersOptions& options,
                              const std::vector<std::string>& arguments);

// The comparisons that are made wherever both rows are there.
std::vector<PeerRatio> peer_ratios(const std::vector<PeerRow>& rows);

}  // namespace lamina::bench
