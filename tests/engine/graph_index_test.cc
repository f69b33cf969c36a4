#include "search/graph_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "rows/row_table.h"
#include "support/random_points.h"

namespace lamina::search {
namespace {

constexpr std::size_t kDimension = 32;
constexpr std::size_t kEf = 60;

// A table and its graph index, written as a collection writes them.
struct Collection {
  explicit Collection(Metric metric = Metric::cosine)
      : table(kDimension, metric),
        index(metric, kDimension, {.m = 8, .ef_construct = 60}, 50) {}

  void put(const PointId& id, VectorView vector) {
    table.put(id, vector, Payload(), ++version);
    index.put(*table.find(id));
  }
  void erase(const PointId& id) {
    const std::optional<rows::Row> row = table.find(id);
    if (!row) return;
    table.erase(id);
    index.erase(*row);
  }
  void put_all(std::span<const Point> points) {
    for (const Point& point : points) put(point.id, point.vector);
  }
  void link_batch() {
    const GraphIndex::Batch batch = index.take(table);
    index.link(batch);
    index.publish(batch);
  }
  void link_all() {
    while (index.pending_count() > 0) link_batch();
  }

  // As a collection answers: by a scan when the index leaves it the query.
  std::vector<ScoredRow> answer(VectorView vector, std::size_t k) {
    FlatQuery query{.vector = vector, .k = k};
    if (!index.search(table, kEf, nullptr, &query)) return scan(vector, k);
    ++walked;
    return query.best;
  }
  // Empty when the index leaves the query to a scan.
  std::vector<ScoredRow> find(VectorView vector, std::size_t k,
                              const RowSet* filter = nullptr,
                              std::size_t ef = kEf) {
    FlatQuery query{.vector = vector, .k = k};
    if (!index.search(table, ef, filter, &query)) return {};
    return query.best;
  }
  std::vector<ScoredRow> scan(VectorView vector, std::size_t k) {
    FlatQuery query{.vector = vector, .k = k};
    parallel_flat_scan(table, {&query, 1}, 1);
    return query.best;
  }

  rows::RowTable table;
  GraphIndex index;
  std::uint64_t version = 0;
  std::size_t walked = 0;
};

void check_all_found(Collection& collection) {
  for (rows::Row row = 0; row < collection.table.size(); ++row) {
    const std::vector<float> own(collection.table.vector(row).begin(),
                                 collection.table.vector(row).end());
    const std::vector<ScoredRow> found = collection.answer(own, 3);
    REQUIRE(found.size() == std::min<std::size_t>(3, collection.table.size()));
    CHECK(found[0].row == row);
    for (const ScoredRow& hit : found) CHECK(hit.row < collection.table.size());
  }
}

}  // namespace

TEST_CASE("scores of a walk are the exact scan's, bit for bit") {
  const test::RandomPoints points(2'000, kDimension, 1);
  for (Metric metric : {Metric::cosine, Metric::dot, Metric::euclid}) {
    CAPTURE(to_string(metric));
    Collection collection(metric);
    collection.put_all(points.points());
    collection.link_all();
    CHECK(collection.index.node_count() == 2'000);
    test::Random random(2);
    for (std::size_t round = 0; round < 50; ++round) {
      const std::vector<float> query = random.vector(kDimension);
      std::map<rows::Row, double> exact;
      for (const ScoredRow& hit : collection.scan(query, 2'000)) {
        exact[hit.row] = hit.score;
      }
      const std::vector<ScoredRow> found = collection.find(query, 10);
      REQUIRE(found.size() == 10);
      for (const ScoredRow& hit : found) CHECK(hit.score == exact[hit.row]);
      CHECK(std::ranges::is_sorted(found, BetterRow(collection.table)));
    }
  }
}

TEST_CASE("a walk that keeps more nodes finds more of the true answer") {
  const test::RandomPoints points(3'000, kDimension, 3);
  Collection collection;
  collection.put_all(points.points());
  collection.link_all();
  const auto recall = [&](std::size_t ef) {
    test::Random random(4);
    std::size_t found = 0;
    for (std::size_t round = 0; round < 50; ++round) {
      const std::vector<float> query = random.vector(kDimension);
      std::vector<rows::Row> truth;
      for (const auto& hit : collection.scan(query, 10)) {
        truth.push_back(hit.row);
      }
      for (const auto& hit : collection.find(query, 10, nullptr, ef)) {
        found += std::size_t(std::ranges::count(truth, hit.row));
      }
    }
    return static_cast<double>(found) / 500.0;
  };
  CHECK(recall(10) < recall(400));
  CHECK(recall(400) > 0.98);
}

TEST_CASE("pending rows are found before they are linked") {
  const test::RandomPoints points(400, kDimension, 5);
  Collection collection;
  collection.put_all(points.points().first(300));
  CHECK(collection.find(points.vector(0), 1).empty());  // No graph yet.
  collection.link_all();
  collection.put_all(points.points().subspan(300, 100));
  CHECK(collection.index.pending_count() == 100);
  check_all_found(collection);
}

TEST_CASE("many pending rows are left to a scan") {
  const test::RandomPoints points(1'000, kDimension, 6);
  Collection collection;
  collection.put_all(points.points().first(300));
  collection.link_all();
  collection.put_all(points.points().subspan(300));
  CHECK(collection.find(points.vector(0), 1).empty());
}

TEST_CASE("after any writes every live row is found, and none that is dead") {
  test::Random random(7);
  const test::RandomPoints points(3'000, kDimension, 8);
  Collection collection;
  std::size_t next = 0;
  for (std::size_t step = 0; step < 3'000; ++step) {
    const PointId id = random.below(2'000);
    if (random.below(3) == 0) {
      collection.erase(id);
    } else {
      collection.put(id, points.vector(next++ % 3'000));
    }
    if (random.below(50) == 0) collection.link_batch();
    if (step % 500 == 499) {
      if (step % 1'000 == 499) collection.link_all();
      check_all_found(collection);
    }
  }
  CHECK(collection.walked > 1'000);
  CHECK(collection.index.dead_count() > 300);
  CHECK(collection.index.node_count() - collection.index.dead_count() +
            collection.index.pending_count() ==
        collection.table.size());
}

TEST_CASE("writes while a batch is being linked are kept") {
  const test::RandomPoints points(400, kDimension, 9);
  Collection collection;
  collection.put_all(points.points().first(100));
  collection.link_all();
  collection.put_all(points.points().subspan(100, 100));
  const GraphIndex::Batch batch = collection.index.take(collection.table);
  collection.index.link(batch);
  check_all_found(collection);  // Nodes that are not published are no answer.
  collection.erase(110);
  collection.erase(5);
  collection.put(120, points.vector(300));
  collection.put(1'000, points.vector(301));
  collection.index.publish(batch);
  CHECK(collection.index.pending_count() == 100 - GraphIndex::kBatchRows + 2);
  check_all_found(collection);
  collection.link_all();
  check_all_found(collection);
}

TEST_CASE("emptied and filled again") {
  const test::RandomPoints points(200, kDimension, 10);
  Collection collection;
  collection.put_all(points.points());
  collection.link_all();
  for (std::size_t id = 0; id < 200; ++id) collection.erase(id);
  CHECK(collection.find(points.vector(0), 10).empty());
  collection.put_all(points.points().first(1));
  collection.link_all();
  const std::vector<ScoredRow> found = collection.find(points.vector(7), 10);
  CHECK(found.size() <= 1);
}

TEST_CASE("only rows of the filter are found, as many as there are") {
  const test::RandomPoints points(4'000, kDimension, 11);
  Collection collection;
  collection.put_all(points.points());
  collection.link_all();
  test::Random random(12);
  std::size_t walked = 0;
  for (const std::size_t one_in : {1u, 2u, 3u, 10u, 1'000u, 10'000u}) {
    RowSet filter(4'000);
    for (rows::Row row = 0; row < 4'000; ++row) {
      if (random.below(one_in) == 0) filter.insert(row);
    }
    for (std::size_t round = 0; round < 20; ++round) {
      FlatQuery query{.vector = points.vector(round), .k = 10};
      if (!collection.index.search(collection.table, 20, &filter, &query)) {
        continue;
      }
      ++walked;
      CHECK(query.best.size() == std::min<std::size_t>(10, filter.count()));
      for (const auto& hit : query.best) CHECK(filter.contains(hit.row));
    }
  }
  CHECK(walked >= 40);
}

TEST_CASE("a filter whose rows lie far from the query is still answered") {
  // The filter holds the rows that point away from the query.
  const test::RandomPoints points(4'000, kDimension, 13);
  Collection collection;
  collection.put_all(points.points());
  collection.link_all();
  const std::vector<ScoredRow> all = collection.scan(points.vector(0), 4'000);
  RowSet filter(4'000);
  for (std::size_t i = 2'000; i < 4'000; ++i) filter.insert(all[i].row);
  FlatQuery query{.vector = points.vector(0), .k = 10};
  // Either found or handed to a scan, but never too few.
  if (collection.index.search(collection.table, 20, &filter, &query)) {
    CHECK(query.best.size() == 10);
  }
}

TEST_CASE("the same writes and batches make the same index") {
  const test::RandomPoints points(1'000, kDimension, 14);
  std::vector<std::int32_t> links[2];
  for (std::vector<std::int32_t>& all : links) {
    Collection collection;
    // Batches of other sizes: what counts is the order of the rows.
    for (std::size_t i = 0; i < 1'000; ++i) {
      collection.put(points.points()[i].id, points.vector(i));
      if (i > 60 && &all == &links[1] && i % 10 == 0) collection.link_batch();
    }
    collection.link_all();
    const auto places = collection.index.graph()->links().ground_places(1'000);
    all.assign(places.begin(), places.end());
  }
  CHECK(links[0] == links[1]);
}

}  // namespace lamina::search
