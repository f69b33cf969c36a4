#include "search/flat_scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/npy_reader.h"
#include "rows/row_table.h"
#include "support/random_points.h"
#include "support/shaped_vectors.h"

namespace lamina::search {
namespace {

constexpr Metric kMetrics[] = {Metric::cosine, Metric::dot, Metric::euclid,
                               Metric::manhattan};

// The definition, in double, without any trick.
double brute_score(Metric metric, VectorView q, VectorView x) {
  double dot = 0;
  double qq = 0;
  double xx = 0;
  double square = 0;
  double magnitude = 0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    dot += double{q[j]} * double{x[j]};
    qq += double{q[j]} * double{q[j]};
    xx += double{x[j]} * double{x[j]};
    const double difference = double{q[j]} - double{x[j]};
    square += difference * difference;
    magnitude += std::fabs(difference);
  }
  if (metric == Metric::dot) return dot;
  if (metric == Metric::euclid) return std::sqrt(square);
  if (metric == Metric::manhattan) return magnitude;
  return dot / (std::sqrt(qq) * std::sqrt(xx));
}

FlatQuery run(const rows::RowTable& table, VectorView vector, std::size_t k,
              const kernels::KernelSet& kernels = kernels::active()) {
  FlatQuery query = {.vector = vector, .k = k};
  flat_scan(table, {0, static_cast<rows::Row>(table.size())}, {&query, 1},
            kernels);
  return query;
}

// Checks an answer against the definition: right length, right order, no row
// left out that is better than the last one by more than double rounding.
void check_exact(const rows::RowTable& table, VectorView query, std::size_t k,
                 const kernels::KernelSet& kernels) {
  const std::vector<ScoredRow> best = run(table, query, k, kernels).best;
  REQUIRE(best.size() == std::min(k, table.size()));
  const double sign = larger_is_better(table.metric()) ? 1.0 : -1.0;
  std::vector<bool> taken(table.size(), false);
  for (std::size_t i = 0; i < best.size(); ++i) {
    const double expected =
        brute_score(table.metric(), query, table.vector(best[i].row));
    const double tolerance = 1e-12 * std::max(1.0, std::fabs(expected));
    CHECK(std::fabs(best[i].score - expected) <= tolerance);
    REQUIRE_FALSE(taken[best[i].row]);
    taken[best[i].row] = true;
    if (i == 0) continue;
    CHECK(sign * best[i - 1].score >= sign * best[i].score);
    if (best[i - 1].score == best[i].score) {
      CHECK(table.id(best[i - 1].row) < table.id(best[i].row));
    }
  }
  if (best.empty()) return;
  for (rows::Row row = 0; row < table.size(); ++row) {
    if (taken[row]) continue;
    const double other = brute_score(table.metric(), query, table.vector(row));
    const double last = best.back().score;
    const double slack =
        1e-12 * std::max({1.0, std::fabs(other), std::fabs(last)});
    if (sign * other > sign * last + slack) {
      FAIL("row " << row << " with score " << other << " was left out, last is "
                  << last);
    }
  }
}

void check_on_all_kernels(const rows::RowTable& table, VectorView query,
                          std::size_t k) {
  for (const kernels::KernelSet* kernels : kernels::available()) {
    CAPTURE(kernels->name);
    check_exact(table, query, k, *kernels);
  }
}

TEST_CASE("random rows of every dimension, metric and k are ranked exactly") {
  test::Random random(21);
  for (const Metric metric : kMetrics) {
    for (const std::size_t dimension : {1u, 2u, 7u, 64u, 65u, 383u, 385u}) {
      rows::RowTable table(dimension, metric);
      for (std::size_t i = 0; i < 300; ++i) {
        table.put(PointId(random.next()), random.vector(dimension), {}, 1);
      }
      for (const std::size_t k : {1u, 2u, 10u, 64u, 299u, 300u, 1000u}) {
        CAPTURE(to_string(metric));
        CAPTURE(dimension);
        CAPTURE(k);
        check_on_all_kernels(table, random.vector(dimension), k);
      }
    }
  }
}

TEST_CASE("adversarial rows are ranked exactly") {
  test::Random random(22);
  for (int round = 0; round < 60; ++round) {
    const Metric metric = kMetrics[round % 4];
    const std::size_t dimension = 1 + random.below(200);
    rows::RowTable table(dimension, metric);
    const std::size_t count = 1 + random.below(200);
    for (std::size_t i = 0; i < count; ++i) {
      table.put(PointId(i), test::hard_vector(&random, dimension), {}, 1);
    }
    CAPTURE(round);
    CAPTURE(to_string(metric));
    CAPTURE(dimension);
    for (int i = 0; i < 4; ++i) {
      check_on_all_kernels(table, test::hard_vector(&random, dimension),
                           1 + random.below(20));
    }
  }
}

// A collection and a query of some kind, anew for each seed.
struct RandomCase {
  explicit RandomCase(std::uint64_t seed)
      : random(seed),
        dimension(1 + random.below(random.below(20) == 0 ? 1000 : 100)),
        table(dimension, kMetrics[random.below(4)]) {
    const bool hard = random.below(2) == 0;
    const std::size_t count =
        1 + random.below(random.below(10) == 0 ? 400 : 60);
    for (std::size_t i = 0; i < count; ++i) {
      table.put(PointId(random.below(1000)), vector(hard), {}, 1);
    }
    query = vector(hard && random.below(2) == 0);
  }

  std::vector<float> vector(bool hard) {
    return hard ? test::hard_vector(&random, dimension)
                : random.vector(dimension);
  }

  test::Random random;
  std::size_t dimension;
  rows::RowTable table;
  std::vector<float> query;
};

bool is_prefix(const std::vector<ScoredRow>& part,
               const std::vector<ScoredRow>& whole) {
  return part.size() <= whole.size() &&
         std::equal(part.begin(), part.end(), whole.begin(),
                    [](const ScoredRow& a, const ScoredRow& b) {
                      return a.row == b.row && a.score == b.score;
                    });
}

TEST_CASE(
    "a hundred thousand random cases: ids, order and score bits are those "
    "of scoring every row") {
#if defined(__SANITIZE_THREAD__)
  constexpr std::uint64_t kCases =
      10'000;  // One thread, and twenty times slower.
#else
  constexpr std::uint64_t kCases = 100'000;
#endif
  const auto all_kernels = kernels::available();
  for (std::uint64_t seed = 0; seed < kCases / all_kernels.size(); ++seed) {
    RandomCase random_case(seed);
    const rows::RowTable& table = random_case.table;
    // With k of all rows nothing is ruled out: every row is scored.
    const FlatQuery every =
        run(table, random_case.query, table.size(), kernels::portable);
    const std::size_t k = 1 + random_case.random.below(20);
    for (const kernels::KernelSet* kernels : all_kernels) {
      const FlatQuery answer = run(table, random_case.query, k, *kernels);
      if (answer.best.size() != std::min(k, table.size()) ||
          !is_prefix(answer.best, every.best)) {
        FAIL("seed " << seed << ", k " << k << ", " << kernels->name);
      }
    }
  }
}

TEST_CASE("equal scores come by ascending id, whatever the order of writing") {
  for (const Metric metric : kMetrics) {
    rows::RowTable table(5, metric);
    for (const std::uint64_t id : {9u, 3u, 7u, 1u, 8u, 2u}) {
      table.put(PointId(id), std::vector<float>(5, 0.5f), {}, 1);
    }
    const std::vector<float> query(5, 1.0f);
    const std::vector<ScoredRow> best = run(table, query, 3).best;
    REQUIRE(best.size() == 3);
    CHECK(table.id(best[0].row) == PointId(1));
    CHECK(table.id(best[1].row) == PointId(2));
    CHECK(table.id(best[2].row) == PointId(3));
  }
}

TEST_CASE("an empty table, and k of zero, give nothing") {
  rows::RowTable table(4, Metric::dot);
  const std::vector<float> query(4, 1.0f);
  CHECK(run(table, query, 10).best.empty());
  table.put(PointId(1), query, {}, 1);
  CHECK(run(table, query, 0).best.empty());
}

void check_same(const FlatQuery& a, const FlatQuery& b) {
  REQUIRE(a.best.size() == b.best.size());
  for (std::size_t i = 0; i < a.best.size(); ++i) {
    CHECK(a.best[i].row == b.best[i].row);
    CHECK(a.best[i].score == b.best[i].score);
  }
}

TEST_CASE("the answer is the same alone, among others, and on many threads") {
  test::Random random(23);
  for (const Metric metric : kMetrics) {
    rows::RowTable table(40, metric);
    for (std::size_t i = 0; i < 3 * table.chunk_rows() + 17; ++i) {
      table.put(PointId(random.next()), random.vector(40), {}, 1);
    }
    std::vector<std::vector<float>> vectors;
    for (std::size_t i = 0; i < kQueriesPerPass + 5; ++i) {
      vectors.push_back(random.vector(40));
    }
    std::vector<FlatQuery> alone;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      alone.push_back(run(table, vectors[i], 1 + i));
    }
    for (const std::size_t threads : {1u, 2u, 3u, 7u}) {
      CAPTURE(threads);
      std::vector<FlatQuery> together;
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        together.push_back({.vector = vectors[i], .k = 1 + i});
      }
      parallel_flat_scan(table, together, threads);
      FlatQuery single = {.vector = vectors[9], .k = 10};
      parallel_flat_scan(table, {&single, 1}, threads);
      check_same(single, alone[9]);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        check_same(together[i], alone[i]);
      }
    }
  }
}

TEST_CASE("a score threshold loses no row that reaches it, and spares work") {
  test::Random random(24);
  for (const Metric metric : kMetrics) {
    rows::RowTable table(32, metric);
    for (std::size_t i = 0; i < 2000; ++i) {
      table.put(PointId(i), random.vector(32), {}, 1);
    }
    const std::vector<float> vector = random.vector(32);
    const FlatQuery all = run(table, vector, table.size());
    for (const std::size_t rank : {0u, 1u, 30u, 1000u, 1999u}) {
      CAPTURE(to_string(metric));
      CAPTURE(rank);
      FlatQuery range = {
          .vector = vector,
          .k = table.size(),
          .score_threshold = static_cast<float>(all.best[rank].score)};
      flat_scan(table, {0, 2000}, {&range, 1});
      REQUIRE(range.best.size() > rank);
      range.best.resize(rank + 1);
      FlatQuery expected = all;
      expected.best.resize(rank + 1);
      check_same(range, expected);
      if (rank == 30) CHECK(range.stats.rows_rescored < 500);
    }
  }
}

TEST_CASE("centres can be forced, and change no answer") {
  test::Random random(26);
  rows::RowTable never(48, Metric::cosine, {.center = rows::CodingRule::never});
  rows::RowTable always(48, Metric::cosine,
                        {.center = rows::CodingRule::always});
  for (std::size_t i = 0; i < 1000; ++i) {
    std::vector<float> vector = random.vector(48);
    for (float& value : vector) value += 0.7f;
    never.put(PointId(i), vector, {}, 1);
    always.put(PointId(i), vector, {}, 1);
  }
  CHECK_FALSE(never.has_centers());
  CHECK(always.has_centers());
  std::size_t without = 0;
  std::size_t with = 0;
  for (int i = 0; i < 50; ++i) {
    std::vector<float> query = random.vector(48);
    for (float& value : query) value += 0.7f;
    const FlatQuery a = run(never, query, 10);
    const FlatQuery b = run(always, query, 10);
    check_same(a, b);
    without += a.stats.rows_rescored;
    with += b.stats.rows_rescored;
  }
  CHECK(with < without);
}

TEST_CASE("rows that share a direction are coded around their mean") {
  test::Random random(25);
  rows::RowTable table(64, Metric::cosine);
  rows::RowTable spread(64, Metric::cosine);
  for (std::size_t i = 0; i < table.chunk_rows(); ++i) {
    std::vector<float> vector = random.vector(64);
    spread.put(PointId(i), vector, {}, 1);
    for (float& value : vector) value = 5.0f + value;
    table.put(PointId(i), vector, {}, 1);
  }
  CHECK(table.center(0) != nullptr);
  CHECK(spread.center(0) == nullptr);
  check_on_all_kernels(table, std::vector<float>(64, 1.0f), 10);
}

TEST_CASE(
    "the real data set: ids of the truth, same bits on every kernel, "
    "few rows rescored") {
  const std::string folder =
      std::string(LAMINA_TEST_DATA_DIR) + "/wordnet-384/wordnet-384-";
  const auto base = read_npy_float(folder + "base.f16.npy").value();
  const auto queries = read_npy_float(folder + "queries.f16.npy").value();
  const auto truth = read_npy_int32(folder + "truth-ids.i32.npy").value();
  rows::RowTable table(base.columns, Metric::cosine);
  for (std::size_t i = 0; i < base.rows; ++i) {
    table.put(PointId(i), {base.row(i), base.columns}, {}, 1);
  }
  const std::size_t k = truth.columns;
  std::vector<ScoredRow> best;
  std::vector<ScoredRow> first;
  std::size_t rescored = 0;
  std::size_t wrong = 0;
  for (std::size_t q = 0; q < queries.rows; ++q) {
    const VectorView query(queries.row(q), queries.columns);
    for (const kernels::KernelSet* kernels : kernels::available()) {
      best = run(table, query, k, *kernels).best;
      if (kernels == kernels::available().front()) first = best;
      for (std::size_t i = 0; i < k; ++i) {
        const PointId expected(static_cast<std::uint64_t>(truth.row(q)[i]));
        wrong += table.id(best[i].row) == expected ? 0 : 1;
        wrong += best[i].score == first[i].score ? 0 : 1;
      }
    }
    rescored += run(table, query, 10).stats.rows_rescored;
  }
  CHECK(wrong == 0);
  // About 28 of 10,000: were it many more, the bounds would have gone loose.
  CHECK(rescored < 50 * queries.rows);
}

}  // namespace
}  // namespace lamina::search
