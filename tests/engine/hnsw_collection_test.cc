// A collection with a graph, through the public interface.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>
#include <vector>

#include "io/npy_reader.h"
#include "lamina/database.h"
#include "lamina/limits.h"
#include "lamina/recall.h"
#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 16;
constexpr CollectionOptions kWithGraph{
    .dimension = kDimension,
    .hnsw = HnswOptions{.m = 8, .ef_construct = 80, .full_scan_threshold = 50}};

void wait_until_linked(const Collection& collection) {
  for (int i = 0; i < 60'000; ++i) {
    const CollectionInfo info = collection.info().value();
    if (info.linked_count == info.point_count) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  FAIL("the graph was not built");
}

std::shared_ptr<Collection> filled(Database& database,
                                   std::span<const Point> points) {
  auto collection = database.create_collection("items", kWithGraph).value();
  REQUIRE(collection->upsert(points, {}).ok());
  wait_until_linked(*collection);
  return collection;
}

QueryStats stats_of(const Collection& collection, VectorView vector,
                    const QueryOptions& options = {}) {
  std::vector<Hit> hits(options.top_k);
  QueryStats stats;
  REQUIRE(collection.query_into(vector, options, hits, &stats).ok());
  return stats;
}

Status refusal(const CollectionOptions& options) {
  return Database::in_memory()->create_collection("x", options).status();
}

}  // namespace

TEST_CASE("hits of a graph have the scores of an exact query") {
  const test::RandomPoints points(2'000, kDimension, 1);
  const auto database = Database::in_memory();
  const auto collection = filled(*database, points.points());
  CHECK(collection->info()->hnsw == kWithGraph.hnsw);
  test::Random random(2);
  for (int i = 0; i < 50; ++i) {
    const std::vector<float> query = random.vector(kDimension);
    CHECK(stats_of(*collection, query).plan == "hnsw");
    const std::vector<Hit> all =
        collection->query(query, {.top_k = 2'000, .exact = true}).value();
    std::map<PointId, float> exact;
    for (const Hit& hit : all) exact[hit.id] = hit.score;
    const std::vector<Hit> hits = collection->query(query).value();
    CHECK(hits.size() == 10);
    for (const Hit& hit : hits) CHECK(hit.score == exact.at(hit.id));
  }
}

TEST_CASE("exact queries, small collections and large top_k are scanned") {
  const test::RandomPoints points(5'000, kDimension, 3);
  const auto database = Database::in_memory();
  const auto collection = filled(*database, points.points());
  const VectorView query = points.vector(0);
  CHECK(stats_of(*collection, query).plan == "hnsw");
  CHECK(stats_of(*collection, query, {.exact = true}).plan != "hnsw");
  CHECK(stats_of(*collection, query, {.top_k = 4'500}).plan != "hnsw");
  CHECK(stats_of(*collection, query).rows_scanned < 2'500);
  const auto small = database->create_collection("small", kWithGraph).value();
  REQUIRE(small->upsert(points.points().first(50), {}).ok());
  CHECK(stats_of(*small, query).plan != "hnsw");
}

TEST_CASE("batches and queries by id give what single queries give") {
  const test::RandomPoints points(1'000, kDimension, 4);
  const auto database = Database::in_memory();
  const auto collection = filled(*database, points.points());
  std::vector<VectorView> vectors;
  for (std::size_t i = 0; i < 20; ++i) vectors.push_back(points.vector(i));
  const auto lists = collection->query_batch(vectors).value();
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto hits = collection->query(vectors[i]).value();
    CHECK(lists[i] == hits);
    const auto others = collection->query_by_id(i, {.top_k = 9}).value();
    CHECK(std::ranges::equal(others, std::span(hits).subspan(1)));
  }
}

TEST_CASE("the same vector again is not linked again") {
  const test::RandomPoints points(200, kDimension, 5);
  const auto database = Database::in_memory();
  const auto collection = filled(*database, points.points());
  REQUIRE(collection->upsert(points.points(), {}).ok());
  CHECK(collection->info()->linked_count == 200);
}

TEST_CASE("a reopened collection has its graph without building it") {
  const test::TemporaryDirectory directory;
  const test::RandomPoints points(3'000, kDimension, 6);
  std::vector<Hit> before;
  {
    const auto database = Database::open(directory.path()).value();
    const auto collection = filled(*database, points.points());
    before = collection->query(points.vector(1)).value();
  }
  const auto database = Database::open(directory.path()).value();
  const auto collection = database->open_collection("items").value();
  CHECK(collection->info()->hnsw == kWithGraph.hnsw);
  CHECK(collection->info()->linked_count == 3'000);
  CHECK(stats_of(*collection, points.vector(1)).plan == "hnsw");
  CHECK(collection->query(points.vector(1)).value() == before);
}

TEST_CASE("a damaged graph file is built anew and taken away") {
  const test::TemporaryDirectory directory;
  const test::RandomPoints points(300, kDimension, 7);
  const auto file = directory.path() / "collection-1" / "graph.lam";
  { filled(*Database::open(directory.path()).value(), points.points()); }
  REQUIRE(std::filesystem::exists(file));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const auto database = Database::open(directory.path()).value();
  const auto collection = database->open_collection("items").value();
  CHECK(!std::filesystem::exists(file));
  wait_until_linked(*collection);
  CHECK(stats_of(*collection, points.vector(1)).plan == "hnsw");
}

TEST_CASE("dropping and closing do not wait for the graph to be whole") {
  const test::TemporaryDirectory directory;
  const test::RandomPoints points(20'000, kDimension, 8);
  const auto database = Database::open(directory.path()).value();
  const auto first = database->create_collection("a", kWithGraph).value();
  const auto second = database->create_collection("b", kWithGraph).value();
  REQUIRE(first->upsert(points.points(), {}).ok());
  REQUIRE(second->upsert(points.points(), {}).ok());
  CHECK(database->drop_collection("a").value());
  CHECK(!std::filesystem::exists(directory.path() / "collection-1"));
  CHECK(!first->query(points.vector(0)).ok());
}

TEST_CASE("after random writes and restarts every live point is found") {
  const test::TemporaryDirectory directory;
  const test::RandomPoints points(4'000, kDimension, 9);
  std::map<std::uint64_t, std::size_t> model;  // Id to vector
  test::Random random(10);
  for (int session = 0; session < 3; ++session) {
    const auto database = Database::open(directory.path()).value();
    const auto collection =
        session == 0 ? database->create_collection("items", kWithGraph).value()
                     : database->open_collection("items").value();
    for (int step = 0; step < 1'500; ++step) {
      const std::uint64_t id = random.below(700);
      if (random.below(3) == 0) {
        REQUIRE(collection->remove(PointId(id), {}).ok());
        model.erase(id);
      } else {
        const std::size_t vector = random.below(4'000);
        REQUIRE(
            collection->upsert({.id = id, .vector = points.vector(vector)}, {})
                .ok());
        model[id] = vector;
      }
    }
    if (session == 1) wait_until_linked(*collection);
    CHECK(collection->count().value() == model.size());
    for (const auto& [id, vector] : model) {
      const auto hits =
          collection->query(points.vector(vector), {.top_k = 3}).value();
      // Ids may share a vector.
      CHECK(std::ranges::any_of(hits, [&](const Hit& hit) {
        return model.at(hit.id.number()) == vector;
      }));
      for (const Hit& hit : hits) CHECK(model.contains(hit.id.number()));
    }
  }
}

TEST_CASE("options out of range are refused by name, and manhattan") {
  const auto with = [](HnswOptions hnsw, Metric metric = Metric::cosine) {
    return CollectionOptions{.dimension = 4, .metric = metric, .hnsw = hnsw};
  };
  CHECK(refusal(with({.m = 3})).message().find("m") != std::string::npos);
  CHECK(!refusal(with({.m = kMaxHnswM + 1})).ok());
  CHECK(!refusal(with({.ef_construct = 3})).ok());
  CHECK(!refusal(with({.ef_construct = kMaxHnswEf + 1})).ok());
  CHECK(!refusal(with({}, Metric::manhattan)).ok());
  CHECK(refusal(with({.m = kMinHnswM, .ef_construct = kMaxHnswEf})).ok());
  const auto database = Database::in_memory();
  const auto collection = database->create_collection("x", with({})).value();
  const float vector[4] = {1, 0, 0, 0};
  CHECK(!collection->query(vector, {.hnsw_ef = 0}).ok());
  CHECK(!collection->query(vector, {.hnsw_ef = kMaxHnswEf + 1}).ok());
  CHECK(collection->query(vector, {.hnsw_ef = kMaxHnswEf}).ok());
}

TEST_CASE("recall is measured against exact queries") {
  const test::RandomPoints points(3'000, kDimension, 11);
  const auto database = Database::in_memory();
  const auto collection = filled(*database, points.points());
  const Recall narrow = measure_recall(*collection, {.hnsw_ef = 10}).value();
  const Recall wide = measure_recall(*collection, {.hnsw_ef = 400}).value();
  CHECK(narrow.queries == 100);
  CHECK(narrow.share < wide.share);
  CHECK(wide.share > 0.98);
  CHECK(!measure_recall(*collection, {.sample = 0}).ok());
  CHECK(!measure_recall(*collection, {.top_k = 0}).ok());
  const auto plain =
      database->create_collection("plain", {.dimension = kDimension}).value();
  CHECK(measure_recall(*plain).value().queries == 0);
  REQUIRE(plain->upsert(points.points().first(10), {}).ok());
  CHECK(measure_recall(*plain).value().share == 1.0);
}

TEST_CASE("the real data set is found at high recall") {
  const std::string base =
      std::string(LAMINA_TEST_DATA_DIR) + "/wordnet-384/wordnet-384-";
  const auto vectors = read_npy_float(base + "base.f16.npy").value();
  const auto database = Database::in_memory();
  const auto collection =
      database
          ->create_collection("words",
                              {.dimension = vectors.columns,
                               .hnsw = HnswOptions{.full_scan_threshold = 0}})
          .value();
  constexpr std::size_t kRows = 3'000;
  std::vector<Point> points;
  for (std::size_t row = 0; row < kRows; ++row) {
    points.push_back(
        {.id = row, .vector = {vectors.row(row), vectors.columns}});
  }
  REQUIRE(collection->upsert(points, {}).ok());
  wait_until_linked(*collection);
  CHECK(measure_recall(*collection, {.hnsw_ef = 200})->share > 0.97);
}

}  // namespace lamina
