#include "lamina/database.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 6;

CollectionOptions options_of(Metric metric) {
  CollectionOptions options;
  options.dimension = kDimension;
  options.metric = metric;
  return options;
}

std::filesystem::path only_log(const std::filesystem::path& database) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(database)) {
    if (entry.path().extension() == ".log") return entry.path();
  }
  return {};
}

std::vector<Hit> all_hits(Collection& collection, VectorView query) {
  QueryOptions options;
  options.top_k = 1000;
  options.with_vector = true;
  options.with_payload = true;
  return collection.query(query, options).value();
}

TEST_CASE("everything is there again after reopening, bit for bit") {
  const test::TemporaryDirectory directory;
  test::Random random(3);
  const std::vector<float> query = random.vector(kDimension);
  const test::RandomPoints data(50, kDimension, 9);
  std::vector<Hit> before;
  {
    auto db = Database::open(directory.path() / "db").value();
    auto items =
        db->create_collection("items", options_of(Metric::euclid)).value();
    REQUIRE(items->upsert(data.points()).ok());
    Point point = {PointId::from_name("x"), data.vector(0),
                   Payload::from_json(R"({"a":[1,2.50]})").value()};
    REQUIRE(items->upsert(point).ok());
    REQUIRE(items->remove(PointId(7)).ok());
    REQUIRE(items->upsert(Point{PointId(8), data.vector(1), {}}).ok());
    before = all_hits(*items, query);
  }
  auto db = Database::open(directory.path() / "db").value();
  CHECK(db->list_collections().value() == std::vector<std::string>{"items"});
  REQUIRE(db->recovery().size() == 1);
  CHECK(db->recovery()[0].status.ok());
  CHECK(db->recovery()[0].replayed_writes == 4);
  CHECK(db->recovery()[0].torn_bytes == 0);
  auto items = db->open_collection("items").value();
  CHECK(items->info().value().metric == Metric::euclid);
  CHECK(all_hits(*items, query) == before);
  // The history goes on where it stopped.
  CHECK(items->remove(PointId(9)).value().sequence == 5);
}

TEST_CASE("a torn tail is cut before the first new write, round after round") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  Database::open(path)
      .value()
      ->create_collection("items", options_of(Metric::dot))
      .value();
  std::uint64_t next_id = 0;
  for (int round = 0; round < 5; ++round) {
    {
      auto db = Database::open(path).value();
      auto items = db->open_collection("items").value();
      const test::RandomPoints data(10, kDimension, 1, next_id);
      for (const Point& point : data.points()) {
        REQUIRE(items->upsert(point).ok());
      }
      next_id += 10;
    }
    // Half a record, where the next one would go.
    const auto log = only_log(path);
    auto db = Database::open(path).value();
    CHECK(db->open_collection("items").value()->count().value() == next_id);
    db.reset();
    const std::string bytes(30, 'x');
    std::ofstream file(log, std::ios::binary | std::ios::app);
    file << bytes;
    file.close();
    db = Database::open(path).value();
    CHECK(db->recovery()[0].torn_bytes >= bytes.size());
    CHECK(db->open_collection("items").value()->count().value() == next_id);
  }
}

TEST_CASE("a damaged collection says why, and keeps no other from opening") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  std::filesystem::path log;
  {
    auto db = Database::open(path).value();
    auto bad = db->create_collection("bad", options_of(Metric::dot)).value();
    const test::RandomPoints data(20, kDimension, 1);
    for (const Point& point : data.points()) REQUIRE(bad->upsert(point).ok());
    log = only_log(path);
    auto good = db->create_collection("good", options_of(Metric::dot)).value();
    REQUIRE(good->upsert(data.points()).ok());
  }
  std::fstream file(log, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(300);
  file.put('!');
  file.close();
  const auto size = std::filesystem::file_size(log);
  auto db = Database::open(path).value();
  const auto bad = db->open_collection("bad");
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.status().code() == StatusCode::data_loss);
  CHECK(bad.status().message().find("offset") != std::string::npos);
  CHECK(db->open_collection("good").value()->count().value() == 20);
  CHECK(db->list_collections().value().size() == 2);
  CHECK(std::filesystem::file_size(log) == size);
  CHECK(db->drop_collection("bad").value());
}

TEST_CASE("a second opener is refused with the holder's pid") {
  const test::TemporaryDirectory directory;
  auto db = Database::open(directory.path() / "db").value();
  const auto second = Database::open(directory.path() / "db");
  REQUIRE_FALSE(second.ok());
  CHECK(second.status().code() == StatusCode::unavailable);
  CHECK(second.status().message().find(std::to_string(::getpid())) !=
        std::string::npos);
  // Another process too.
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(Database::open(directory.path() / "db").ok() ? 1 : 0);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  db.reset();
  CHECK(Database::open(directory.path() / "db").ok());
}

TEST_CASE("what an interrupted create or drop left is removed") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  Database::open(path).value();
  std::filesystem::create_directory(path / "new-3");
  std::filesystem::create_directory(path / "dropped-4");
  std::ofstream(path / "dropped-4" / "MANIFEST") << "rest";
  auto db = Database::open(path).value();
  CHECK(db->list_collections().value().empty());
  CHECK_FALSE(std::filesystem::exists(path / "new-3"));
  CHECK_FALSE(std::filesystem::exists(path / "dropped-4"));
}

TEST_CASE("a name made anew has nothing of the old one") {
  const test::TemporaryDirectory directory;
  auto db = Database::open(directory.path() / "db").value();
  auto old = db->create_collection("x", options_of(Metric::dot)).value();
  const test::RandomPoints data(5, kDimension, 1);
  REQUIRE(old->upsert(data.points()).ok());
  CHECK(db->drop_collection("x").value());
  CHECK_FALSE(db->drop_collection("x").value());
  CHECK(old->count().status().code() == StatusCode::not_found);
  CollectionOptions options;
  options.dimension = 2;
  auto fresh = db->create_collection("x", options).value();
  CHECK(fresh->count().value() == 0);
  CHECK(old->upsert(data.points()).status().code() == StatusCode::not_found);
  db.reset();
  db = Database::open(directory.path() / "db").value();
  CHECK(db->open_collection("x").value()->info().value().dimension == 2);
}

TEST_CASE("handles fail with unavailable once their database is gone") {
  auto db = Database::in_memory();
  auto items = db->create_collection("x", options_of(Metric::dot)).value();
  db.reset();
  CHECK(items->count().status().code() == StatusCode::unavailable);
  const std::vector<float> vector(kDimension, 1.0f);
  CHECK(items->upsert(Point{PointId(1), vector, {}}).status().code() ==
        StatusCode::unavailable);
}

TEST_CASE("creating and dropping in a loop leaves no file behind") {
  const test::TemporaryDirectory directory;
  auto db = Database::open(directory.path() / "db").value();
  const test::RandomPoints data(5, kDimension, 1);
  for (int i = 0; i < 30; ++i) {
    auto items = db->create_collection("x", options_of(Metric::dot)).value();
    REQUIRE(items->upsert(data.points()).ok());
    REQUIRE(db->drop_collection("x").value());
  }
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory.path() / "db")) {
    files += entry.path().filename() == "LOCK" ? 0 : 1;
  }
  CHECK(files == 0);
}

// The thread sanitizer starts one of its own.
#if !defined(__SANITIZE_THREAD__)
std::size_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST_CASE("no thread is started that was not asked for") {
  const test::TemporaryDirectory directory;
  const std::size_t before = thread_count();
  auto db = Database::open(directory.path() / "db").value();
  auto items = db->create_collection("x", options_of(Metric::cosine)).value();
  const test::RandomPoints data(5000, kDimension, 4);
  WriteOptions fsync;
  fsync.durability = Durability::fsync;
  REQUIRE(items->upsert(data.points(), fsync).ok());
  const std::vector<VectorView> queries(100, data.vector(0));
  REQUIRE(items->query(data.vector(1)).ok());
  REQUIRE(items->query_batch(queries).ok());
  CHECK(thread_count() == before);
  // Asked for, they are there for the call, and gone after it.
  QueryOptions options;
  options.threads = 4;
  CHECK(items->query_batch(queries, options).value() ==
        items->query_batch(queries).value());
  CHECK(thread_count() == before);
}
#endif

TEST_CASE("a missing directory is made, or not, as asked") {
  const test::TemporaryDirectory directory;
  DatabaseOptions options;
  options.create_if_missing = false;
  CHECK(Database::open(directory.path() / "no", options).status().code() ==
        StatusCode::not_found);
  CHECK(Database::open(directory.path() / "yes").ok());
}

}  // namespace
}  // namespace lamina
