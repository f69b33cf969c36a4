#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"

// Numbers and verdicts as people read them.
namespace lamina::bench {

// "12.3", "123": three or four figures of microseconds.
std::string microseconds(double ns);

// As microseconds, or "n/a (n=192)" when the samples cannot carry it.
std::string percentile_text(const std::optional<std::uint64_t>& ns,
                            std::size_t samples);

// "+12.4"
std::string signed_microseconds(double ns);

// "[11.0, 14.1]", or "no interval (R=2)".
std::string interval_text(const std::optional<Interval>& interval,
                          std::size_t rounds);

// "7.4 %"
std::string percent(double share);

// "resolved", "not resolved (|d| < 1.8 us)", "unproven" when a control failed.
std::string verdict(const Contrast& contrast, const BenchResult& result);

}  // namespace lamina::bench
