#include "core/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace lamina::bench {
namespace {

// Share of sign patterns of `n` fair coins with fewer than `k` heads.
double binomial_below(std::size_t n, std::size_t k) {
  double term = std::ldexp(1.0, -static_cast<int>(n));
  double sum = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    sum += term;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return sum;
}

std::optional<std::uint64_t> percentile_if_told(
    std::span<const std::uint64_t> sorted, double p) {
  if (sorted.size() < samples_needed(p)) return std::nullopt;
  return percentile(sorted, p);
}

}  // namespace

std::uint64_t percentile(std::span<const std::uint64_t> sorted, double p) {
  assert(!sorted.empty() && p >= 0.0 && p <= 1.0);
  const double rank = std::ceil(p * static_cast<double>(sorted.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return sorted[std::min(index, sorted.size() - 1)];
}

std::size_t samples_needed(double p) {
  assert(p > 0.0 && p < 1.0);
  return static_cast<std::size_t>(std::ceil(std::log(0.025) / std::log(p)));
}

double median(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return (values[half - 1] + values[half]) / 2.0;
}

Distribution describe(std::vector<std::uint64_t> samples) {
  Distribution told;
  told.count = samples.size();
  if (samples.empty()) return told;
  std::sort(samples.begin(), samples.end());
  told.min = samples.front();
  told.max = samples.back();
  told.p50 = percentile(samples, 0.5);
  told.p90 = percentile_if_told(samples, 0.9);
  told.p99 = percentile_if_told(samples, 0.99);
  told.p999 = percentile_if_told(samples, 0.999);
  told.mean = std::accumulate(samples.begin(), samples.end(), 0.0) /
              static_cast<double>(samples.size());
  return told;
}

std::optional<Interval> sign_interval(std::vector<double> rounds,
                                      double confidence) {
  const std::size_t n = rounds.size();
  if (n < kMinRounds) return std::nullopt;
  std::sort(rounds.begin(), rounds.end());
  std::size_t k = 1;  // The interval runs from the k-th to the k-th last.
  while (2 * (k + 1) <= n && 1.0 - 2.0 * binomial_below(n, k + 1) >= confidence)
    ++k;
  return Interval{rounds[k - 1], rounds[n - k],
                  1.0 - 2.0 * binomial_below(n, k)};
}

RoundBlocks combine(std::span<const RoundBlocks> arms,
                    std::span<const Term> terms) {
  assert(!terms.empty());
  RoundBlocks sum = arms[terms[0].arm];
  for (std::size_t r = 0; r < sum.size(); ++r) {
    for (std::size_t b = 0; b < sum[r].size(); ++b) {
      sum[r][b] = 0.0;
      for (const Term& term : terms)
        sum[r][b] += term.weight * arms[term.arm][r][b];
    }
  }
  return sum;
}

double Estimate::largest_bound() const {
  if (interval)
    return std::max(std::abs(interval->low), std::abs(interval->high));
  double largest = 0.0;
  for (double round : rounds) largest = std::max(largest, std::abs(round));
  return largest;
}

Estimate estimate(const RoundBlocks& differences, double confidence) {
  Estimate told;
  told.rounds.reserve(differences.size());
  for (const std::vector<double>& blocks : differences)
    told.rounds.push_back(median(blocks));
  told.value = median(told.rounds);
  told.interval = sign_interval(told.rounds, confidence);
  return told;
}

}  // namespace lamina::bench
