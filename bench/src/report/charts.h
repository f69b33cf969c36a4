#pragma once

#include <string>

#include "core/result.h"

// Charts as inline SVG.
namespace lamina::bench {

// What each rung adds: bars that hang where the one before ends, whiskers for
// the interval, a band as wide as the noise floor.
std::string waterfall_chart(const BenchResult& result);

// Client CPU, server CPU and dead time of each arm, stacked.
std::string cpu_chart(const BenchResult& result);

// Time over percentile, on an axis that gives the tail room.
std::string percentile_chart(const BenchResult& result);

// Paired differences, superblock by superblock.
std::string strip_chart(const BenchResult& result);

// Medians of the writes, by durability and arm.
std::string writes_chart(const BenchResult& result);

}  // namespace lamina::bench
