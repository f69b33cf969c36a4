#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Pure functions: numbers in, numbers out. What they assume and why they were
// chosen stands in docs/benchmarking.md.
namespace lamina::bench {

// The smallest sample that at least the share `p` (0 to 1) of all samples does
// not exceed. An order statistic: always a value that was measured. `sorted`
// must be ascending and not empty.
std::uint64_t percentile(std::span<const std::uint64_t> sorted, double p);

// Samples below which a percentile is not told: with fewer, its upper 97.5 %
// confidence bound is infinite. 368 for p = 0.99, 3688 for p = 0.999.
std::size_t samples_needed(double p);

// The middle value, or the mean of the two. Not for empty lists.
double median(std::vector<double> values);

// What is told about the times of one arm. Percentiles that the number of
// samples cannot carry are absent.
struct Distribution {
  std::size_t count = 0;
  std::uint64_t min = 0;
  std::uint64_t p50 = 0;
  std::optional<std::uint64_t> p90;
  std::optional<std::uint64_t> p99;
  std::optional<std::uint64_t> p999;
  std::uint64_t max = 0;
  double mean = 0.0;

  bool operator==(const Distribution&) const = default;
};

Distribution describe(std::vector<std::uint64_t> samples);

struct Interval {
  double low = 0.0;
  double high = 0.0;
  double confidence = 0.0;

  bool contains(double value) const { return low <= value && value <= high; }
  bool operator==(const Interval&) const = default;
};

// Fewest rounds that carry an interval at all.
inline constexpr std::size_t kMinRounds = 6;

// Interval of the median between two order statistics, exact under the sign
// test: no assumption but independent rounds. The narrowest one that reaches
// `confidence`; the whole range when none does. Absent below kMinRounds.
std::optional<Interval> sign_interval(std::vector<double> rounds,
                                      double confidence);

// [round][superblock] of one arm or of one difference.
using RoundBlocks = std::vector<std::vector<double>>;

// One arm's part in a contrast: +1 or -1.
struct Term {
  std::size_t arm = 0;
  double weight = 1.0;
};

// Weighted sum of arms, block by block: what is paired is what ran in the same
// superblock on the same queries.
RoundBlocks combine(std::span<const RoundBlocks> arms,
                    std::span<const Term> terms);

struct Estimate {
  double value = 0.0;          // Median over rounds
  std::vector<double> rounds;  // Median over the superblocks of each round
  std::optional<Interval> interval;

  // Largest distance from zero that this estimate does not exclude; without an
  // interval, that of the rounds.
  double largest_bound() const;
};

// Rounds are the sample, not calls: a process is laid out in memory once, so
// its calls share one luck.
Estimate estimate(const RoundBlocks& differences, double confidence);

}  // namespace lamina::bench
