// What LocalCollection adds to payload writes and filters in this process:
// readers beside writers, and statistics.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "lamina/database.h"
#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 8;
constexpr std::size_t kPoints = 200;

std::shared_ptr<Collection> make_items(Database* db) {
  CollectionOptions options;
  options.dimension = kDimension;
  options.metric = Metric::dot;
  auto items = db->create_collection("items", options).value();
  const test::RandomPoints data(kPoints, kDimension, 5);
  REQUIRE(items->upsert(data.points()).ok());
  return items;
}

Payload generation(int number) {
  return Payload::from_json("{\"g\":" + std::to_string(number) + "}").value();
}

Filter generation_from(std::int64_t least) {
  return Filter::all_of({where::range("g", {.gte = least})});
}

// Whether all points are seen, and all of them in one generation.
bool sees_one_generation(const Collection& items, VectorView query) {
  const auto hits = items.facet("g").value();
  if (hits.size() != 1 || hits[0].count != kPoints) return false;
  QueryOptions options;
  options.top_k = kPoints;
  options.with_payload = true;
  options.filter = generation_from(0);
  const auto found = items.query(query, options).value();
  if (found.size() != kPoints) return false;
  for (const Hit& hit : found) {
    if (hit.payload != found.front().payload) return false;
    if (hit.version != found.front().version) return false;
  }
  return true;
}

TEST_CASE("readers see an edit of payloads whole or not at all") {
  const test::TemporaryDirectory directory;
  auto db = Database::open(directory.path() / "db").value();
  auto items = make_items(db.get());
  REQUIRE(items->overwrite_payload(Selector::all(), generation(0)).ok());
  REQUIRE(items->create_payload_index("g", PayloadIndexType::integer).ok());
  const std::vector<float> query(kDimension, 1.0f);
  std::atomic<bool> done{false};
  std::atomic<int> torn{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      while (!done) torn += sees_one_generation(*items, query) ? 0 : 1;
    });
  }
  int refused = 0;
  for (int number = 1; number <= 60; ++number) {
    // By a filter that the points only just pass.
    const auto written =
        items->set_payload(generation_from(number - 1), generation(number));
    refused += written.ok() ? 0 : 1;
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(refused == 0);
  CHECK(items->count(generation_from(60)).value() == kPoints);
}

TEST_CASE("writers by filter never change a point that no longer matches") {
  auto db = Database::in_memory();
  auto items = make_items(db.get());
  REQUIRE(items->overwrite_payload(Selector::all(), generation(0)).ok());
  // Each writer takes every point one generation on, if it is where it should
  // be; of two that try the same step, one finds nothing to do.
  std::vector<std::thread> writers;
  std::atomic<int> refused{0};
  for (int w = 0; w < 3; ++w) {
    writers.emplace_back([&] {
      for (int number = 0; number < 50; ++number) {
        const auto written = items->overwrite_payload(
            Filter::all_of({where::match("g", std::int64_t{number})}),
            generation(number + 1));
        if (!written.ok()) ++refused;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(refused == 0);
  const auto hits = items->facet("g").value();
  REQUIRE(hits.size() == 1);
  CHECK(hits[0] == FacetHit{std::int64_t{50}, kPoints});
}

TEST_CASE("statistics tell how a filter was answered and what it left") {
  auto db = Database::in_memory();
  auto items = make_items(db.get());
  for (std::uint64_t id = 0; id < kPoints; ++id) {
    REQUIRE(items
                ->overwrite_payload(PointId(id),
                                    generation(static_cast<int>(id % 4)))
                .ok());
  }
  const std::vector<float> query(kDimension, 1.0f);
  std::vector<Hit> hits(10);
  const auto stats_of = [&](const Filter& filter) {
    QueryOptions options;
    options.filter = filter;
    QueryStats stats;
    CHECK(items->query_into(query, options, hits, &stats).ok());
    return stats;
  };
  const QueryStats unfiltered = stats_of({});
  CHECK(unfiltered.filter_plan.empty());
  CHECK(unfiltered.rows_matching == kPoints);
  const QueryStats ids = stats_of(Filter::all_of({where::has_id({1, 2})}));
  CHECK(ids.filter_plan == "ids");
  CHECK(ids.rows_matching == 2);
  const Filter match = Filter::all_of({where::match("g", std::int64_t{3})});
  CHECK(stats_of(match).filter_plan == "column");
  CHECK(stats_of(match).rows_matching == kPoints / 4);
  REQUIRE(items->create_payload_index("g", PayloadIndexType::integer).ok());
  CHECK(stats_of(match).filter_plan == "index");
  CHECK(stats_of(match).rows_matching == kPoints / 4);
}

TEST_CASE("a predicate may choose what a write is about") {
  auto db = Database::in_memory();
  auto items = make_items(db.get());
  REQUIRE(items
              ->remove(Filter::all_of(
                  {where::predicate([](const PointId& id, const Payload&) {
                    return id.number() >= 10;
                  })}))
              .ok());
  CHECK(items->count().value() == 10);
}

}  // namespace
}  // namespace lamina
