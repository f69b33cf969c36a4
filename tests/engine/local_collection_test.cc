#include "local_collection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "lamina/database.h"
#include "lamina/limits.h"
#include "support/allocation_count.h"
#include "support/random_points.h"
#include "support/shaped_vectors.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 8;

CollectionOptions dot_options() {
  CollectionOptions options;
  options.dimension = kDimension;
  options.metric = Metric::dot;
  return options;
}

TEST_CASE("readers see a batch whole or not at all, while writers replace it") {
  const test::TemporaryDirectory directory;
  auto db = Database::open(directory.path() / "db").value();
  auto items = db->create_collection("x", dot_options()).value();
  constexpr std::size_t kPoints = 20;
  // Every point of batch g has all its values equal to g.
  const auto write = [&](float generation) {
    const std::vector<float> vector(kDimension, generation);
    std::vector<Point> points;
    for (std::size_t i = 0; i < kPoints; ++i) {
      points.push_back({PointId(i), vector, {}});
    }
    return items->upsert(points).ok();
  };
  REQUIRE(write(1.0f));
  std::atomic<bool> done{false};
  std::atomic<int> torn{0};
  std::atomic<int> failed{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      const std::vector<float> query(kDimension, 1.0f);
      QueryOptions options;
      options.top_k = kPoints;
      while (!done) {
        const auto hits = items->query(query, options);
        if (!hits.ok() || hits->size() != kPoints) {
          ++failed;
          continue;
        }
        for (const Hit& hit : *hits) {
          if (hit.score != hits->front().score) ++torn;
        }
      }
    });
  }
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < 100; ++i) {
        if (!write(static_cast<float>(2 + i * 2 + w))) ++failed;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(failed == 0);
  CHECK(items->count().value() == kPoints);
}

TEST_CASE(
    "of concurrent writes to one id, the highest sequence stays, also "
    "after reopening") {
  const test::TemporaryDirectory directory;
  std::atomic<std::uint64_t> highest{0};
  std::vector<float> winner;
  {
    auto db = Database::open(directory.path() / "db").value();
    auto items = db->create_collection("x", dot_options()).value();
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          const std::vector<float> vector(kDimension,
                                          static_cast<float>(t * 1000 + i));
          const auto written = items->upsert(Point{PointId(1), vector, {}});
          const std::lock_guard lock(mutex);
          if (written.ok() && written->sequence > highest) {
            highest = written->sequence;
            winner = vector;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(highest == 200);
    CHECK(items->get(PointId(1)).value().vector == winner);
  }
  auto db = Database::open(directory.path() / "db").value();
  auto items = db->open_collection("x").value();
  CHECK(items->count().value() == 1);
  CHECK(items->get(PointId(1)).value().vector == winner);
}

TEST_CASE("a write says whether it is on the disk") {
  const test::TemporaryDirectory directory;
  auto db = Database::open(directory.path() / "db").value();
  auto items = db->create_collection("x", dot_options()).value();
  const std::vector<float> vector(kDimension, 1.0f);
  const Point point = {PointId(1), vector, {}};
  CHECK(items->upsert(point).value() ==
        UpdateResult{.sequence = 1, .durable = false});
  WriteOptions fsync;
  fsync.durability = Durability::fsync;
  CHECK(items->upsert(point, fsync).value() ==
        UpdateResult{.sequence = 2, .durable = true});
  CHECK(items->upsert(point).value().durable == false);
  CHECK(items->flush().ok());

  DatabaseOptions options;
  options.durability = Durability::fsync;
  auto strict = Database::open(directory.path() / "strict", options).value();
  auto strict_items = strict->create_collection("x", dot_options()).value();
  CHECK(strict_items->upsert(point).value().durable);
  WriteOptions os;
  os.durability = Durability::os;
  CHECK_FALSE(strict_items->upsert(point, os).value().durable);
}

TEST_CASE("a collection's own durability outlives the database's default") {
  const test::TemporaryDirectory directory;
  const std::vector<float> vector(kDimension, 1.0f);
  CollectionOptions options = dot_options();
  options.durability = Durability::fsync;
  Database::open(directory.path() / "db")
      .value()
      ->create_collection("x", options)
      .value();
  auto db = Database::open(directory.path() / "db").value();
  auto items = db->open_collection("x").value();
  CHECK(items->upsert(Point{PointId(1), vector, {}}).value().durable);
}

TEST_CASE(
    "query_into gives what query gives, tells how, and allocates nothing") {
  auto db = Database::in_memory();
  auto items = db->create_collection("x", dot_options()).value();
  const test::RandomPoints data(3000, kDimension, 2);
  REQUIRE(items->upsert(data.points()).ok());
  std::vector<Hit> hits(20);
  QueryStats stats;
  const std::vector<Hit> expected = items->query(data.vector(3)).value();
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t before = test::allocation_count();
    const auto count = items->query_into(data.vector(3), {}, hits, &stats);
    const std::uint64_t after = test::allocation_count();
    REQUIRE(count.ok());
    REQUIRE(*count == 10);
    CHECK(std::equal(expected.begin(), expected.end(), hits.begin()));
    // This thread has queried before.
    CHECK(after == before);
  }
  CHECK(stats.plan.starts_with("flat"));
  CHECK(stats.rows_scanned == 3000);
  CHECK(stats.rows_rescored >= 10);
  CHECK(stats.rows_rescored < 1000);
  CHECK_FALSE(stats.kernel.empty());
  CHECK(
      items->query_into(data.vector(3), {}, std::span(hits).first(4)).value() ==
      4);
  CHECK(items->query_into(data.vector(3), {}, {}).value() == 0);
}

TEST_CASE(
    "rows that lean on few directions are looked at along their axes, also "
    "after a restart, and still nothing is allocated") {
  constexpr std::size_t kWide = 192;
  const test::TemporaryDirectory directory;
  test::Random random(3);
  std::vector<std::vector<float>> vectors;
  std::vector<Point> points;
  for (std::size_t i = 0; i < 2100; ++i) {
    vectors.push_back(test::leaning_vector(&random, kWide));
  }
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    points.push_back({PointId(i), vectors[i], {}});
  }
  std::vector<Hit> hits(10);
  QueryStats stats;
  const auto query = [&](const Collection& items) {
    REQUIRE(items.query_into(vectors[7], {}, hits, &stats).value() == 10);
    const std::uint64_t before = test::allocation_count();
    const auto again = items.query_into(vectors[7], {}, hits, &stats);
    const std::uint64_t after = test::allocation_count();
    CHECK(again.ok());
    CHECK(after == before);
    CHECK(stats.plan == "flat, principal axes");
    CHECK(stats.rows_scanned == vectors.size());
    CHECK(stats.rows_refined < vectors.size() / 2);
    CHECK(hits.front().id == PointId(7));
    return hits;
  };
  std::vector<Hit> first;
  {
    auto db = Database::open(directory.path() / "db").value();
    auto items = db->create_collection("x", {.dimension = kWide}).value();
    REQUIRE(items->upsert(std::span(points).first(2000)).ok());
    REQUIRE(items->query_into(vectors[7], {}, hits, &stats).ok());
    CHECK(stats.plan != "flat, principal axes");  // Too few to tell.
    REQUIRE(items->upsert(std::span(points).subspan(2000)).ok());
    first = query(*items);
  }
  auto db = Database::open(directory.path() / "db").value();
  CHECK(query(*db->open_collection("x").value()) == first);
}

TEST_CASE("queries go on, and stay right, while axes are chosen and set") {
  constexpr std::size_t kWide = 128;
  auto db = Database::in_memory();
  auto items = db->create_collection("x", {.dimension = kWide}).value();
  test::Random random(4);
  const std::vector<float> first = test::leaning_vector(&random, kWide);
  REQUIRE(items->upsert(Point{PointId(0), first, {}}).ok());
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      while (!done) {
        const auto hits = items->query(first, {.top_k = 1});
        if (!hits.ok() || hits->front().id != PointId(0)) ++wrong;
      }
    });
  }
  std::uint64_t id = 1;
  bool written = true;
  for (int batch = 0; batch < 23; ++batch) {
    std::vector<std::vector<float>> vectors;
    std::vector<Point> points;
    for (int i = 0; i < 100; ++i) {
      vectors.push_back(test::leaning_vector(&random, kWide));
    }
    for (const std::vector<float>& vector : vectors) {
      points.push_back({PointId(id++), vector, {}});
    }
    written = written && items->upsert(points).ok();
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(written);
  CHECK(wrong == 0);
  std::vector<Hit> hits(1);
  QueryStats stats;
  REQUIRE(items->query_into(first, {.top_k = 1}, hits, &stats).ok());
  CHECK(stats.plan == "flat, principal axes");
}

TEST_CASE("neither writers nor other readers wait for a long query") {
  auto db = Database::in_memory();
  CollectionOptions options = dot_options();
  options.dimension = 64;
  auto items = db->create_collection("x", options).value();
  test::Random random(9);
  constexpr std::uint64_t kPoints = 20'000;
  std::vector<std::vector<float>> vectors;
  std::vector<Point> points;
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    vectors.push_back(random.vector(64));
  }
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    points.push_back({PointId(i), vectors[i], {}});
  }
  REQUIRE(items->upsert(points).ok());
  const std::vector<VectorView> queries(3000, VectorView(vectors[0]));
  std::atomic<bool> begun{false};
  std::atomic<bool> ended{false};
  std::vector<std::vector<Hit>> answers;
  std::thread reader([&] {
    begun = true;
    answers = items->query_batch(queries).value();
    ended = true;
  });
  while (!begun) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::vector<float> best(64, 100.0f);
  for (std::uint64_t i = 0; i < 10; ++i) {
    REQUIRE(items->upsert({PointId(kPoints + i), best, {}}).ok());
    CHECK(items->query(vectors[0], {.top_k = 1}).value().size() == 1);
  }
  CHECK_FALSE(ended);
  reader.join();
  // All of the batch saw the same points.
  for (const std::vector<Hit>& hits : answers) {
    REQUIRE(hits.size() == answers[0].size());
    CHECK(hits[0].id == answers[0][0].id);
  }
}

TEST_CASE("a wrong number of threads is refused by name") {
  auto db = Database::in_memory();
  auto items = db->create_collection("x", dot_options()).value();
  const std::vector<float> vector(kDimension, 1.0f);
  QueryOptions options;
  for (const std::size_t threads : {std::size_t{0}, kMaxThreads + 1}) {
    options.threads = threads;
    CHECK(items->query(vector, options).status().field() == "threads");
  }
}

TEST_CASE("counts beyond reason take no memory") {
  auto db = Database::in_memory();
  auto items = db->create_collection("x", dot_options()).value();
  const test::RandomPoints data(5, kDimension, 2);
  REQUIRE(items->upsert(data.points()).ok());
  QueryOptions options;
  options.top_k = kMaxCount;
  options.offset = kMaxCount;
  CHECK(items->query(data.vector(0), options).value().empty());
  options.offset = 3;
  CHECK(items->query(data.vector(0), options).value().size() == 2);
  options.top_k = kMaxCount + 1;
  CHECK(items->query(data.vector(0), options).status().field() == "top_k");
}

}  // namespace
}  // namespace lamina
