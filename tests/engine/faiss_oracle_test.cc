// FAISS's flat index as an independent opinion: it shares no line with ours.
#include <doctest/doctest.h>
#include <faiss/IndexFlat.h>
#include <omp.h>

#include <cmath>
#include <vector>

#include "lamina/database.h"
#include "support/random_points.h"

namespace lamina {
namespace {

constexpr std::size_t kRows = 2000;
constexpr std::size_t kDimension = 96;
constexpr std::size_t kTopK = 10;

void compare(const faiss::Index& oracle, Collection& items, Metric metric) {
  test::Random random(77);
  std::vector<float> distances(kTopK);
  std::vector<faiss::Index::idx_t> labels(kTopK);
  for (int i = 0; i < 50; ++i) {
    const std::vector<float> query = random.vector(kDimension);
    oracle.search(1, query.data(), kTopK, distances.data(), labels.data());
    const std::vector<Hit> hits = items.query(query).value();
    REQUIRE(hits.size() == kTopK);
    for (std::size_t r = 0; r < kTopK; ++r) {
      // FAISS gives squared distances, and float32 sums.
      const float expected =
          metric == Metric::euclid ? std::sqrt(distances[r]) : distances[r];
      CHECK(hits[r].score == doctest::Approx(expected).epsilon(1e-4));
    }
  }
}

TEST_CASE("scores rank by rank are those of FAISS's flat index") {
  omp_set_num_threads(1);
  const test::RandomPoints data(kRows, kDimension, 5);
  for (const Metric metric : {Metric::dot, Metric::euclid}) {
    faiss::IndexFlat oracle(kDimension, metric == Metric::dot
                                            ? faiss::METRIC_INNER_PRODUCT
                                            : faiss::METRIC_L2);
    oracle.add(kRows, data.points().front().vector.data());
    auto db = Database::in_memory();
    CollectionOptions options;
    options.dimension = kDimension;
    options.metric = metric;
    auto items = db->create_collection("x", options).value();
    REQUIRE(items->upsert(data.points()).ok());
    CAPTURE(to_string(metric));
    compare(oracle, *items, metric);
  }
}

}  // namespace
}  // namespace lamina
