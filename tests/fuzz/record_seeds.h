#pragma once

#include <string>
#include <vector>

#include "lamina/options.h"

// Logs and snapshots as our own code writes them.
namespace lamina::fuzz {

inline constexpr std::size_t kRecordDimension = 3;
inline constexpr Metric kRecordMetric = Metric::cosine;

// Records of every type that a log may have, not yet numbered.
std::vector<std::string> log_records();
// And those that a snapshot may have.
std::vector<std::string> snapshot_records();

}  // namespace lamina::fuzz
