#include "report/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lamina::bench {
namespace {

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

}  // namespace

std::string microseconds(double ns) {
  const double us = ns / 1000.0;
  const double size = std::abs(us);
  if (size < 9.995) return format("%.2f", us);
  return format(size < 999.95 ? "%.1f" : "%.0f", us);
}

std::string percentile_text(const std::optional<std::uint64_t>& ns,
                            std::size_t samples) {
  if (ns) return microseconds(static_cast<double>(*ns));
  return "n/a (n=" + std::to_string(samples) + ")";
}

std::string signed_microseconds(double ns) {
  return (ns >= 0.0 ? "+" : "") + microseconds(ns);
}

std::string interval_text(const std::optional<Interval>& interval,
                          std::size_t rounds) {
  if (!interval) return "no interval (R=" + std::to_string(rounds) + ")";
  return "[" + microseconds(interval->low) + ", " +
         microseconds(interval->high) + "]";
}

std::string percent(double share) { return format("%.1f %%", share * 100.0); }

std::string verdict(const Contrast& contrast, const BenchResult& result) {
  if (!result.proven()) return "unproven";
  if (!contrast.interval) {
    return "no interval (R=" + std::to_string(contrast.rounds.size()) + ")";
  }
  if (contrast.resolved) return "resolved";
  const double bound =
      std::max({contrast.noise_floor_ns, std::abs(contrast.interval->low),
                std::abs(contrast.interval->high)});
  return "not resolved (|d| < " + microseconds(bound) + " us)";
}

}  // namespace lamina::bench
