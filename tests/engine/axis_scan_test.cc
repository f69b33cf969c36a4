#include "search/axis_scan.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/npy_reader.h"
#include "rows/row_table.h"
#include "search/axis_query_coder.h"
#include "search/set_scan.h"
#include "support/random_points.h"
#include "support/shaped_vectors.h"

namespace lamina::search {
namespace {

using rows::CodingRule;
using rows::CodingRules;
using rows::Row;
using rows::RowTable;

constexpr Metric kMetrics[] = {Metric::cosine, Metric::dot, Metric::euclid};

void choose_axes(RowTable* table) {
  table->set_axis_codes(table->make_axis_codes());
}

FlatQuery run(const RowTable& table, VectorView vector, std::size_t k,
              const kernels::KernelSet& kernels = kernels::active()) {
  FlatQuery query = {.vector = vector, .k = k};
  flat_scan(table, {0, static_cast<Row>(table.size())}, {&query, 1}, kernels);
  return query;
}

bool same(const FlatQuery& a, const FlatQuery& b) {
  return std::equal(a.best.begin(), a.best.end(), b.best.begin(), b.best.end(),
                    [](const ScoredRow& x, const ScoredRow& y) {
                      return x.row == y.row && x.score == y.score;
                    });
}

// One table that looks along axes first and one that does not.
struct TwoTables {
  TwoTables(std::size_t dimension, Metric metric)
      : plain(dimension, metric, CodingRules{.axes = CodingRule::never}),
        along(dimension, metric, CodingRules{.axes = CodingRule::always}) {}

  void put(std::uint64_t id, VectorView vector) {
    plain.put(PointId(id), vector, {}, 1);
    along.put(PointId(id), vector, {}, 1);
  }
  void erase(std::uint64_t id) {
    plain.erase(PointId(id));
    along.erase(PointId(id));
  }
  // Whether both answer alike on every kernel set.
  bool agree(VectorView query, std::size_t k) const {
    for (const kernels::KernelSet* kernels : kernels::available()) {
      const FlatQuery answer = run(along, query, k, *kernels);
      if (!answer.stats.along_axes) return false;
      if (!same(answer, run(plain, query, k, *kernels))) return false;
    }
    return true;
  }

  RowTable plain;
  RowTable along;
};

TEST_CASE("random and hard rows: the answer is that of the one-stage scan") {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t kTables = 40;
#else
  constexpr std::uint64_t kTables = 200;
#endif
  for (std::uint64_t seed = 0; seed < kTables; ++seed) {
    test::Random random(seed);
    const std::size_t dimension = 128 + random.below(80);
    TwoTables tables(dimension, kMetrics[seed % 3]);
    const std::uint64_t hard = random.below(3);
    const auto vector = [&] {
      const bool now = hard == 0 || (hard == 1 && random.below(4) == 0);
      return now ? test::hard_vector(&random, dimension)
                 : test::leaning_vector(&random, dimension);
    };
    const std::size_t count = 128 + random.below(400);
    for (std::size_t i = 0; i < count; ++i) tables.put(i, vector());
    choose_axes(&tables.along);
    REQUIRE(tables.along.axis_codes() != nullptr);
    for (int i = 0; i < 25; ++i) {
      CAPTURE(seed);
      CAPTURE(i);
      const bool alike = tables.agree(vector(), 1 + random.below(4));
      if (!alike) FAIL("seed " << seed << ", query " << i);
    }
  }
}

TEST_CASE(
    "rows that come, change and go after the axes were chosen are found") {
  test::Random random(71);
  for (const Metric metric : kMetrics) {
    TwoTables tables(200, metric);
    for (std::uint64_t i = 0; i < 1500; ++i) {
      tables.put(i, test::leaning_vector(&random, 200));
    }
    choose_axes(&tables.along);
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const std::uint64_t id = random.below(4000);
      if (random.below(3) == 0) {
        tables.erase(id);
      } else {
        tables.put(id, test::leaning_vector(&random, 200));
      }
      if (i % 100 == 0) {
        CHECK(tables.agree(test::leaning_vector(&random, 200), 10));
      }
    }
    for (std::uint64_t id = 100; id < 4000; ++id) tables.erase(id);
    for (std::uint64_t i = 0; i < 800; ++i) {
      tables.put(5000 + i, test::leaning_vector(&random, 200));
    }
    CHECK(tables.agree(test::leaning_vector(&random, 200), 10));
  }
}

TEST_CASE("many queries, several segments, thresholds and threads agree too") {
  test::Random random(72);
  TwoTables tables(128, Metric::cosine);
  const std::size_t rows = 17 * tables.along.chunk_rows() + 33;
  std::vector<std::vector<float>> vectors;
  for (std::size_t i = 0; i < rows; ++i) {
    tables.put(i, test::leaning_vector(&random, 128));
  }
  choose_axes(&tables.along);
  for (int i = 0; i < 41; ++i)
    vectors.push_back(test::leaning_vector(&random, 128));
  for (const std::size_t threads : {1u, 3u}) {
    std::vector<FlatQuery> plain;
    for (const std::vector<float>& vector : vectors) {
      plain.push_back({.vector = vector, .k = 10, .score_threshold = 0.9f});
    }
    std::vector<FlatQuery> along = plain;
    parallel_flat_scan(tables.plain, plain, threads);
    parallel_flat_scan(tables.along, along, threads);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      CHECK(along[i].stats.along_axes);
      CHECK(same(run(tables.along, vectors[i], 10),
                 run(tables.plain, vectors[i], 10)));
      // What is worse than the threshold may or may not be there.
      for (std::size_t j = 0; j < plain[i].best.size(); ++j) {
        if (plain[i].best[j].score < 0.9f) break;
        REQUIRE(j < along[i].best.size());
        CHECK(along[i].best[j].row == plain[i].best[j].row);
      }
      FlatQuery single = {.vector = vectors[i], .k = 10};
      parallel_flat_scan(tables.along, {&single, 1}, threads);
      CHECK(same(single, run(tables.plain, vectors[i], 10)));
    }
  }
}

TEST_CASE("of the rows that match, the best are found whatever their number") {
  test::Random random(75);
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    TwoTables tables(130, metric);
    const std::size_t rows = 2 * tables.along.chunk_rows() + 100;
    for (std::size_t i = 0; i < rows; ++i) {
      tables.put(i, test::leaning_vector(&random, 130));
    }
    if (metric != Metric::manhattan) choose_axes(&tables.along);
    for (const std::size_t one_in : {1u, 2u, 5u, 9u, 40u, 1000u, 100000u}) {
      RowSet matching(rows);
      for (std::size_t row = 0; row < rows; ++row) {
        if (random.below(one_in) == 0) matching.insert(row);
      }
      const std::vector<float> vector = test::leaning_vector(&random, 130);
      // Scoring every row, in order, and leaving out the others.
      FlatQuery expected = run(tables.plain, vector, rows);
      std::erase_if(expected.best, [&](const ScoredRow& scored) {
        return !matching.contains(scored.row);
      });
      for (const std::size_t k : {1u, 10u, 500u}) {
        for (const RowTable* table : {&tables.plain, &tables.along}) {
          std::vector<FlatQuery> queries(2, {.vector = vector, .k = k});
          set_scan(*table, matching, queries, 1 + random.below(2));
          CAPTURE(to_string(metric));
          CAPTURE(one_in);
          CAPTURE(k);
          FlatQuery first = expected;
          first.best.resize(std::min(k, first.best.size()));
          CHECK(same(queries[0], first));
          CHECK(same(queries[1], first));
        }
      }
    }
  }
}

long double goodness(Metric metric, VectorView q, VectorView x) {
  long double dot = 0;
  long double qq = 0;
  long double xx = 0;
  long double square = 0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    dot += static_cast<long double>(q[j]) * x[j];
    qq += static_cast<long double>(q[j]) * q[j];
    xx += static_cast<long double>(x[j]) * x[j];
    square += (static_cast<long double>(q[j]) - x[j]) *
              (static_cast<long double>(q[j]) - x[j]);
  }
  if (metric == Metric::euclid) return -square;
  return metric == Metric::dot ? dot : dot / std::sqrt(qq * xx);
}

// Checks every row's bound, and returns how far the nearest stays above what it
// bounds, relative to the bound of the farthest.
double check_bounds(const RowTable& table, const rows::AxisCodes& codes,
                    VectorView query) {
  std::vector<float> padded(query.begin(), query.end());
  padded.resize(table.stride(), 0.0f);
  double square = 0.0;
  for (const float value : query) square += double{value} * value;
  AxisQueryCoder coder;
  const kernels::AxisQuery& coded = coder.code(
      codes, table.metric(), padded.data(),
      table.metric() == Metric::cosine ? 1.0 / std::sqrt(square) : 1.0);
  std::vector<float> uppers(table.size() + kernels::kInterleavedRows);
  float* place = uppers.data();
  kernels::portable.bound_rows(codes.rows(0, table.size()), &coded, 1, &place);
  double least = std::numeric_limits<double>::infinity();
  for (Row row = 0; row < table.size(); ++row) {
    const long double real = goodness(table.metric(), query, table.vector(row));
    const auto room = static_cast<double>(uppers[row] - real);
    if (!(room >= 0.0)) {
      FAIL("row " << row << ": " << static_cast<double>(real) << " is above "
                  << uppers[row]);
    }
    least = std::min(least, room);
  }
  return least;
}

TEST_CASE("every bound along axes is at least the row's goodness") {
  test::Random random(73);
  for (const Metric metric : kMetrics) {
    for (const std::size_t dimension : {128u, 200u, 384u}) {
      for (const float offset : {0.0f, 3.0f}) {
        RowTable table(dimension, metric,
                       CodingRules{CodingRule::never, CodingRule::always});
        const auto vector = [&] {
          std::vector<float> values = test::leaning_vector(&random, dimension);
          for (float& value : values) value += offset;
          return values;
        };
        for (std::size_t i = 0; i < 250; ++i) {
          table.put(PointId(i), vector(), {}, 1);
        }
        const auto codes = table.make_axis_codes();
        REQUIRE(codes != nullptr);
        CAPTURE(to_string(metric));
        CAPTURE(dimension);
        CAPTURE(offset);
        for (int i = 0; i < 20; ++i) check_bounds(table, *codes, vector());
      }
    }
  }
}

// The first 32 coordinates are the axes.
rows::AxisCodes plain_axes(const RowTable& table) {
  rows::Samples axes = {std::vector<float>(32 * table.stride(), 0.0f), 32,
                        table.stride()};
  for (std::size_t i = 0; i < 32; ++i) axes[i][i] = 1.0f;
  auto projection = std::make_shared<rows::Projection>(
      std::vector<float>(table.stride(), 0.0f), axes, table.dimension());
  rows::AxisCodes codes(projection, table.metric(), table.chunk_rows());
  for (Row row = 0; row < table.size(); ++row) {
    codes.put(row, table.padded_vector(row), table.code_factor(row));
  }
  return codes;
}

// In each case all of one term of the bound is needed: were it left out or
// smaller, the row would be above its bound; were it larger, far below.
TEST_CASE("each term of the bound is as large as it must be, and no larger") {
  struct Case {
    const char* name;
    std::vector<std::pair<std::size_t, float>> row;
    std::vector<std::pair<std::size_t, float>> query;
  };
  const Case cases[] = {
      {"rests along each other", {{40, 1.0f}}, {{40, 1.0f}}},
      {"the row's codes", {{0, 127.0f}, {1, 0.49f}}, {{1, 1.0f}}},
      {"the query's codes", {{1, 1.0f}}, {{0, 127.0f}, {1, 0.49f}}},
  };
  for (const Metric metric : {Metric::dot, Metric::euclid}) {
    for (const Case& one : cases) {
      RowTable table(128, metric,
                     CodingRules{CodingRule::never, CodingRule::never});
      std::vector<float> row(128, 0.0f);
      std::vector<float> query(128, 0.0f);
      for (const auto& [j, value] : one.row) row[j] = value;
      for (const auto& [j, value] : one.query) query[j] = value;
      table.put(PointId(1), row, {}, 1);
      CAPTURE(to_string(metric));
      CAPTURE(one.name);
      // The products here are 1 and 0.49.
      CHECK(check_bounds(table, plain_axes(table), query) < 0.1);
    }
  }
}

TEST_CASE(
    "axes are chosen where rows lean on few directions, and can be forced") {
  test::Random random(74);
  const auto axes_of = [&](bool leaning, CodingRule rule, std::size_t dimension,
                           Metric metric) {
    RowTable table(dimension, metric, CodingRules{.axes = rule});
    for (std::size_t i = 0; i < 2048; ++i) {
      table.put(PointId(i),
                leaning ? test::leaning_vector(&random, dimension)
                        : random.vector(dimension),
                {}, 1);
    }
    REQUIRE(table.axes_are_due());
    const auto codes = table.make_axis_codes();
    table.set_axis_codes(nullptr);
    CHECK_FALSE(table.axes_are_due());
    return codes ? codes->projection().axis_count() : 0;
  };
  for (const Metric metric : kMetrics) {
    CAPTURE(to_string(metric));
    CHECK(axes_of(true, CodingRule::automatic, 192, metric) > 0);
    CHECK(axes_of(false, CodingRule::automatic, 192, metric) == 0);
  }
  CHECK(axes_of(true, CodingRule::never, 192, Metric::cosine) == 0);
  CHECK(axes_of(false, CodingRule::always, 192, Metric::cosine) > 0);
  CHECK(axes_of(true, CodingRule::automatic, 127, Metric::cosine) == 0);
  CHECK(axes_of(true, CodingRule::always, 192, Metric::manhattan) == 0);
}

TEST_CASE("the real data set: same bits as the truth's, few rows refined") {
  const std::string folder =
      std::string(LAMINA_TEST_DATA_DIR) + "/wordnet-384/wordnet-384-";
  const auto base = read_npy_float(folder + "base.f16.npy").value();
  const auto queries = read_npy_float(folder + "queries.f16.npy").value();
  const auto truth = read_npy_int32(folder + "truth-ids.i32.npy").value();
  RowTable table(base.columns, Metric::cosine);
  for (std::size_t i = 0; i < base.rows; ++i) {
    table.put(PointId(i), {base.row(i), base.columns}, {}, 1);
  }
  choose_axes(&table);
  std::size_t wrong = 0;
  FlatScanStats total;
  for (std::size_t q = 0; q < queries.rows; ++q) {
    const VectorView query(queries.row(q), queries.columns);
    std::vector<ScoredRow> first;
    for (const kernels::KernelSet* kernels : kernels::available()) {
      const std::size_t k = kernels == &kernels::active() ? 10 : truth.columns;
      const FlatQuery answer = run(table, query, k, *kernels);
      for (std::size_t i = 0; i < k; ++i) {
        const PointId expected(static_cast<std::uint64_t>(truth.row(q)[i]));
        wrong += table.id(answer.best[i].row) == expected ? 0 : 1;
        if (first.size() <= i) first.push_back(answer.best[i]);
        wrong += answer.best[i].score == first[i].score ? 0 : 1;
      }
      wrong += answer.stats.along_axes ? 0 : 1;
      if (k != 10) continue;
      total.rows_refined += answer.stats.rows_refined;
      total.rows_rescored += answer.stats.rows_rescored;
    }
  }
  CHECK(wrong == 0);
  // About 390 and 20 of 10,000: were they many more, a bound would have gone
  // loose.
  CHECK(total.rows_refined < 600 * queries.rows);
  CHECK(total.rows_rescored < 30 * queries.rows);
}

TEST_CASE("a view is scanned along the axes as it was, whatever is written") {
  constexpr std::size_t kDimension = 192;
  test::Random random(75);
  RowTable table(kDimension, Metric::euclid,
                 CodingRules{.axes = CodingRule::always});
  const auto put = [&](std::uint64_t id) {
    table.put(PointId(id), test::leaning_vector(&random, kDimension), {}, 1);
  };
  for (std::uint64_t id = 0; id < 5000; ++id) put(id);
  choose_axes(&table);
  table.end_change();
  const auto view = table.view();
  std::vector<std::vector<float>> vectors;
  std::vector<FlatQuery> before;
  const auto run_on_view = [&](const std::vector<float>& vector) {
    FlatQuery query = {.vector = vector, .k = 10};
    flat_scan(*view, {0, static_cast<Row>(view->size())}, {&query, 1});
    return query;
  };
  for (int i = 0; i < 20; ++i) {
    vectors.push_back(test::leaning_vector(&random, kDimension));
    before.push_back(run_on_view(vectors.back()));
    REQUIRE(before.back().stats.along_axes);
  }
  for (int step = 0; step < 3000; ++step) {
    const std::vector<PointId> ids = {PointId(random.below(6000))};
    RowTable::Copies copies = table.copies_for(ids);
    table.begin_change();
    table.use(std::move(copies));
    if (random.below(2) == 0) {
      table.erase(ids[0]);
    } else {
      put(ids[0].number());
    }
    table.end_change();
  }
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    CHECK(same(run_on_view(vectors[i]), before[i]));
  }
}

}  // namespace
}  // namespace lamina::search
