#include "core/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/schedule.h"

using lamina::bench::combine;
using lamina::bench::describe;
using lamina::bench::Distribution;
using lamina::bench::estimate;
using lamina::bench::Estimate;
using lamina::bench::Interval;
using lamina::bench::median;
using lamina::bench::next_random;
using lamina::bench::percentile;
using lamina::bench::RoundBlocks;
using lamina::bench::samples_needed;
using lamina::bench::sign_interval;
using lamina::bench::Term;

namespace {

std::vector<double> one_to(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 1; i <= n; ++i) values.push_back(static_cast<double>(i));
  return values;
}

// Roughly normal: twelve uniform numbers, mean 0, deviation 1.
double noise(std::uint64_t* state) {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i)
    sum += static_cast<double>(next_random(state) >> 11) * 0x1p-53;
  return sum;
}

// Differences of two equal arms, or of arms `effect` apart. Each process has a
// luck of its own that all its superblocks share.
RoundBlocks simulate(std::size_t rounds, std::size_t superblocks, double effect,
                     double process_luck, std::uint64_t* state) {
  RoundBlocks differences(rounds);
  for (std::vector<double>& round : differences) {
    const double luck = process_luck * noise(state);
    for (std::size_t b = 0; b < superblocks; ++b)
      round.push_back(effect + luck + noise(state));
  }
  return differences;
}

}  // namespace

TEST_CASE(
    "a percentile is the smallest sample that the share does not exceed") {
  const std::vector<std::uint64_t> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(percentile(ten, 0.0) == 1);
  CHECK(percentile(ten, 0.1) == 1);
  CHECK(percentile(ten, 0.11) == 2);
  CHECK(percentile(ten, 0.5) == 5);
  CHECK(percentile(ten, 0.9) == 9);
  CHECK(percentile(ten, 0.99) == 10);
  CHECK(percentile(ten, 1.0) == 10);
}

TEST_CASE("a percentile of one sample, and of equal samples, is that value") {
  const std::vector<std::uint64_t> one{7};
  const std::vector<std::uint64_t> equal(100, 3);
  for (double p : {0.0, 0.5, 0.99, 1.0}) {
    CHECK(percentile(one, p) == 7);
    CHECK(percentile(equal, p) == 3);
  }
}

TEST_CASE("a percentile is told only when its upper bound is finite") {
  CHECK(samples_needed(0.99) == 368);
  CHECK(samples_needed(0.999) == 3688);
  CHECK_FALSE(describe(std::vector<std::uint64_t>(367, 1)).p99.has_value());
  CHECK(describe(std::vector<std::uint64_t>(368, 1)).p99.has_value());
}

TEST_CASE("a description holds count, ends, median and mean") {
  const Distribution told = describe({5, 1, 9});
  CHECK(told.count == 3);
  CHECK(told.min == 1);
  CHECK(told.p50 == 5);
  CHECK(told.max == 9);
  CHECK(told.mean == doctest::Approx(5.0));
}

TEST_CASE("a median of an even number of values is the mean of the two") {
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({4.0, 1.0, 2.0, 3.0}) == 2.5);
}

TEST_CASE("sign intervals have the tabulated ends and confidence") {
  struct Row {
    std::size_t rounds;
    double low, high, confidence;
  };
  for (const Row& row : {Row{6, 1, 6, 0.96875}, Row{10, 2, 9, 0.978516},
                         Row{12, 3, 10, 0.961426}, Row{20, 6, 15, 0.958611}}) {
    const auto interval = sign_interval(one_to(row.rounds), 0.95);
    REQUIRE(interval.has_value());
    CHECK(interval->low == row.low);
    CHECK(interval->high == row.high);
    CHECK(interval->confidence ==
          doctest::Approx(row.confidence).epsilon(1e-5));
  }
}

TEST_CASE("five rounds carry no interval") {
  CHECK_FALSE(sign_interval(one_to(5), 0.95).has_value());
}

TEST_CASE("a confidence beyond reach gives the whole range and says its own") {
  const auto interval = sign_interval(one_to(6), 0.9999);
  REQUIRE(interval.has_value());
  CHECK(interval->low == 1.0);
  CHECK(interval->high == 6.0);
  CHECK(interval->confidence == doctest::Approx(0.96875));
}

TEST_CASE("a contrast pairs the blocks of one superblock") {
  const std::vector<RoundBlocks> arms{{{1.0, 2.0}, {3.0, 4.0}},
                                      {{11.0, 22.0}, {33.0, 44.0}}};
  const std::vector<Term> terms{{1, 1.0}, {0, -1.0}};
  CHECK(combine(arms, terms) == RoundBlocks{{10.0, 20.0}, {30.0, 40.0}});
}

TEST_CASE("an estimate is the median over rounds of the rounds' medians") {
  const Estimate told =
      estimate({{1.0, 1.0, 100.0}, {5.0, 5.0, 5.0}, {2.0, 3.0, 4.0}}, 0.95);
  CHECK(told.rounds == std::vector<double>{1.0, 5.0, 3.0});
  CHECK(told.value == 3.0);
  CHECK_FALSE(told.interval.has_value());
  CHECK(told.largest_bound() == 5.0);
}

TEST_CASE("equal arms are told apart in at most six percent of the runs") {
  std::uint64_t state = 7;
  int told_apart = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Estimate told = estimate(simulate(10, 24, 0.0, 1.0, &state), 0.95);
    told_apart += told.interval->contains(0.0) ? 0 : 1;
  }
  CAPTURE(told_apart);
  CHECK(told_apart <= 60);
}

TEST_CASE("a planted effect is found, in the right place") {
  std::uint64_t state = 11;
  int found = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Estimate told = estimate(simulate(10, 24, 3.0, 1.0, &state), 0.95);
    if (told.interval->low > 0.0 && std::abs(told.value - 3.0) < 1.5) ++found;
  }
  CAPTURE(found);
  CHECK(found >= 180);
}
