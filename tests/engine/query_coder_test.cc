#include "search/query_coder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "rows/row_table.h"
#include "support/random_points.h"

namespace lamina::search {
namespace {

constexpr Metric kMetrics[] = {Metric::cosine, Metric::dot, Metric::euclid,
                               Metric::manhattan};

// What docs/exact-search.md calls g.
long double goodness(Metric metric, VectorView q, VectorView x) {
  long double dot = 0;
  long double qq = 0;
  long double xx = 0;
  long double square = 0;
  long double magnitude = 0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    const long double a = q[j];
    const long double b = x[j];
    dot += a * b;
    qq += a * a;
    xx += b * b;
    square += (a - b) * (a - b);
    magnitude += std::fabs(a - b);
  }
  switch (metric) {
    case Metric::cosine:
      return dot / (std::sqrt(qq) * std::sqrt(xx));
    case Metric::dot:
      return dot;
    case Metric::euclid:
      return -square;
    case Metric::manhattan:
      return -magnitude;
  }
  return 0;
}

// Checks that every row's interval holds its goodness, and returns how much of
// the interval the farthest one used: 1 is the edge.
double check_intervals(const rows::RowTable& table, VectorView query) {
  QueryCoder coder;
  coder.begin(table, query, kernels::portable);
  const bool by_difference = table.metric() == Metric::manhattan;
  double farthest = 0.0;
  for (rows::Row first = 0; first < table.size();) {
    const kernels::CodedQuery& coded = coder.for_chunk(table, first);
    const kernels::CodedRows block = table.coded_rows(first);
    kernels::Candidate found[kernels::kBlockRows];
    const auto select = by_difference
                            ? kernels::portable.select_rows_by_difference
                            : kernels::portable.select_rows;
    const std::size_t count =
        select(block, coded, -std::numeric_limits<float>::infinity(), found);
    REQUIRE(count == block.count);
    for (std::size_t i = 0; i < count; ++i) {
      const long double real =
          goodness(table.metric(), query,
                   table.vector(first + static_cast<rows::Row>(i)));
      const long double middle =
          (static_cast<long double>(found[i].lower) + found[i].upper) / 2;
      const long double half =
          (static_cast<long double>(found[i].upper) - found[i].lower) / 2;
      if (!(std::fabs(real - middle) <= half)) {
        FAIL("row " << first + i << ": " << static_cast<double>(real)
                    << " is not within " << found[i].lower << " and "
                    << found[i].upper);
      }
      farthest = std::max(farthest,
                          static_cast<double>(std::fabs(real - middle) / half));
    }
    first += static_cast<rows::Row>(count);
  }
  return farthest;
}

TEST_CASE("every interval holds the row's goodness") {
  test::Random random(41);
  for (const Metric metric : kMetrics) {
    for (const std::size_t dimension : {1u, 3u, 64u, 100u, 384u}) {
      for (const float offset : {0.0f, 3.0f}) {
        rows::RowTable table(dimension, metric);
        const auto vector = [&] {
          std::vector<float> values = random.vector(dimension);
          for (float& value : values) value += offset;
          return values;
        };
        for (std::size_t i = 0; i < 400; ++i) {
          table.put(PointId(i), vector(), {}, 1);
        }
        CAPTURE(to_string(metric));
        CAPTURE(dimension);
        CAPTURE(offset);
        for (int i = 0; i < 20; ++i) check_intervals(table, vector());
      }
    }
  }
}

// A row whose rest after coding points along the query, so that the bound is
// met and nothing of it can be spared.
TEST_CASE("the bound of a row's rest is as large as it must be") {
  for (const Metric metric : {Metric::dot, Metric::euclid}) {
    rows::RowTable table(2, metric);
    table.put(PointId(1), std::vector<float>{127.0f, 0.49f}, {}, 1);
    const double used = check_intervals(table, std::vector<float>{0.0f, 1.0f});
    CAPTURE(to_string(metric));
    CHECK(used > 0.9);
  }
}

TEST_CASE("the bound of the query's rest is as large as it must be") {
  for (const Metric metric : {Metric::dot, Metric::euclid}) {
    rows::RowTable table(2, metric);
    table.put(PointId(1), std::vector<float>{0.0f, 1.0f}, {}, 1);
    const double used =
        check_intervals(table, std::vector<float>{127.0f, 0.49f});
    CAPTURE(to_string(metric));
    CHECK(used > 0.9);
  }
}

TEST_CASE("on a grid both rests are needed") {
  rows::RowTable table(2, Metric::manhattan);
  table.put(PointId(1), std::vector<float>{127.0f, 0.49f}, {}, 1);
  CHECK(check_intervals(table, std::vector<float>{127.0f, -0.49f}) > 0.9);
  CHECK(check_intervals(table, std::vector<float>{200.0f, 0.0f}) > 0.9);
}

TEST_CASE("a score threshold becomes a goodness that loses no score at it") {
  for (const Metric metric : kMetrics) {
    rows::RowTable table(2, metric);
    table.put(PointId(1), std::vector<float>{1.0f, 2.0f}, {}, 1);
    QueryCoder coder;
    coder.begin(table, std::vector<float>{1.0f, 1.0f}, kernels::portable);
    for (const float threshold : {0.0f, 1e-20f, 0.3f, 0.999f, 12.5f}) {
      const double at = metric == Metric::euclid
                            ? -double{threshold} * double{threshold}
                        : metric == Metric::manhattan ? -double{threshold}
                                                      : double{threshold};
      CAPTURE(to_string(metric));
      CAPTURE(threshold);
      CHECK(double{coder.goodness_of(threshold)} <= at);
      CHECK(double{coder.goodness_of(threshold)} >=
            at - 1e-6 * std::max(1e-30, std::fabs(at)));
    }
  }
}

}  // namespace
}  // namespace lamina::search
