#include <cmath>
#include <filesystem>

#include "io/npy_reader.h"
#include "rungs.h"

// The reference work on every rung: 10,000 real vectors, 1,000 real queries.

namespace lamina::test {
namespace {

constexpr std::size_t kTopK = 10;
constexpr std::size_t kPointsPerUpsert = 1'000;

struct WordNet {
  NpyMatrix<float> base;
  NpyMatrix<float> queries;
  NpyMatrix<std::int32_t> truth_ids;
  NpyMatrix<double> truth_scores;
};

WordNet load() {
  const std::filesystem::path directory =
      std::filesystem::path(LAMINA_TEST_DATA_DIR) / "wordnet-384";
  return {
      read_npy_float(directory / "wordnet-384-base.f16.npy").value(),
      read_npy_float(directory / "wordnet-384-queries.f16.npy").value(),
      read_npy_int32(directory / "wordnet-384-truth-ids.i32.npy").value(),
      read_npy_double(directory / "wordnet-384-truth-scores.f64.npy").value(),
  };
}

VectorView row(const NpyMatrix<float>& matrix, std::size_t index) {
  return {matrix.row(index), matrix.columns};
}

void fill(Rungs& rungs, const NpyMatrix<float>& base) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < base.rows; ++i) {
    points.push_back({.id = i, .vector = row(base, i), .payload = {}});
    if (points.size() < kPointsPerUpsert && i + 1 < base.rows) continue;
    const auto written = rungs.ask_items(
        [&](Collection& items) { return sequence_of(items.upsert(points)); });
    REQUIRE(written.ok());
    points.clear();
  }
}

bool matches_truth(const std::vector<Hit>& hits, const WordNet& data,
                   std::size_t query) {
  if (hits.size() != kTopK) return false;
  for (std::size_t rank = 0; rank < kTopK; ++rank) {
    const auto id = static_cast<std::uint64_t>(data.truth_ids.row(query)[rank]);
    const double score = data.truth_scores.row(query)[rank];
    if (hits[rank].id != PointId(id)) return false;
    if (!(std::abs(hits[rank].score - score) < 1e-6)) return false;
  }
  return true;
}

TEST_CASE("all rungs answer the 1,000 queries with the truth, to the bit") {
  const WordNet data = load();
  REQUIRE(data.base.rows == 10'000);
  REQUIRE(data.queries.rows == 1'000);
  Rungs rungs;
  rungs.create_items({.dimension = data.base.columns});
  fill(rungs, data.base);

  std::size_t right = 0;
  for (std::size_t i = 0; i < data.queries.rows; ++i) {
    const auto hits = rungs.ask_items([&](Collection& items) {
      return items.query(row(data.queries, i), {.top_k = kTopK});
    });
    REQUIRE(hits.ok());
    right += matches_truth(*hits, data, i);
  }
  CHECK(right == 1'000);
}

TEST_CASE("all rungs answer the 1,000 queries as one batch with the truth") {
  const WordNet data = load();
  Rungs rungs;
  rungs.create_items({.dimension = data.base.columns});
  fill(rungs, data.base);

  std::vector<VectorView> vectors;
  for (std::size_t i = 0; i < data.queries.rows; ++i) {
    vectors.push_back(row(data.queries, i));
  }
  const auto lists = rungs.ask_items([&](Collection& items) {
    return items.query_batch(vectors, {.top_k = kTopK});
  });
  REQUIRE(lists.ok());
  REQUIRE(lists->size() == 1'000);
  std::size_t right = 0;
  for (std::size_t i = 0; i < lists->size(); ++i) {
    right += matches_truth((*lists)[i], data, i);
  }
  CHECK(right == 1'000);
}

}  // namespace
}  // namespace lamina::test
