// Snapshots, and the log that they stand in for, on real files.
#include "storage/snapshot.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lamina/database.h"
#include "local_collection.h"
#include "storage/log_format.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 24;

CollectionOptions options() {
  CollectionOptions options;
  options.dimension = kDimension;
  options.metric = Metric::dot;
  return options;
}

// What the collection should hold: a number for each id, which is in the vector
// and in the payload.
using Model = std::map<std::uint64_t, int>;

std::vector<float> vector_of(int value) {
  return std::vector<float>(kDimension, static_cast<float>(value));
}

Payload payload_of(int value) {
  return Payload::from_json("{\"v\":" + std::to_string(value) + "}").value();
}

void put(Collection& items, Model* model, std::uint64_t id, int value) {
  const std::vector<float> vector = vector_of(value);
  REQUIRE(items.upsert(Point{PointId(id), vector, payload_of(value)}).ok());
  (*model)[id] = value;
}

void drop(Collection& items, Model* model, std::uint64_t id) {
  REQUIRE(items.remove(std::vector<PointId>{PointId(id)}).ok());
  model->erase(id);
}

void check_equal(const Collection& items, const Model& model) {
  CHECK(items.count().value() == model.size());
  for (const auto& [id, value] : model) {
    CAPTURE(id);
    const Record record = items.get(PointId(id)).value();
    CHECK(record.vector == vector_of(value));
    CHECK(record.payload->json() == payload_of(value).json());
  }
}

// A collection in its own directory, without a database around it.
struct Home {
  explicit Home(const std::filesystem::path& directory) : path(directory) {}

  std::shared_ptr<LocalCollection> create() {
    std::filesystem::create_directories(path);
    REQUIRE(CollectionFiles::create(path).ok());
    return open().value();
  }
  Result<std::shared_ptr<LocalCollection>> open() {
    return LocalCollection::open("items", options(), path, &found);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::filesystem::path path;
  FilesFound found;
};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_CASE("a snapshot stands in for the log before it") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  {
    auto items = home.create();
    for (int i = 0; i < 300; ++i) put(*items, &model, i % 100, i);
    drop(*items, &model, 7);
    REQUIRE(
        items->create_payload_index("v", PayloadIndexType::integer, {}).ok());
    REQUIRE(items->take_snapshot().ok());
    CHECK(home.names() == std::vector<std::string>{"snapshot-00000302.lam",
                                                   "wal-00000303.log"});
    put(*items, &model, 500, 1);
    drop(*items, &model, 8);
  }
  for (int round = 0; round < 2; ++round) {
    auto items = home.open().value();
    CHECK(home.found.replayed_records == 2);
    CHECK(home.found.last_sequence == 304);
    check_equal(*items, model);
    CHECK(items->info().value().payload_indexes.size() == 1);
  }
}

TEST_CASE("snapshots follow one another, of nothing too") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  REQUIRE(items->take_snapshot().ok());
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 20; ++i) put(*items, &model, i, round);
    if (round % 2 == 0) items = home.open().value();
    REQUIRE(items->take_snapshot().ok());
    REQUIRE(items->take_snapshot().ok());
    CHECK(home.names().size() == 2);
  }
  for (int i = 0; i < 20; ++i) drop(*items, &model, i);
  REQUIRE(items->take_snapshot().ok());
  items = home.open().value();
  CHECK(items->count({}).value() == 0);
  CHECK(home.found.replayed_records == 0);
}

// Writers change what the snapshot is copying: points move to other rows, come
// back after their removal, and are changed by edits that need them.
TEST_CASE("what is written while a snapshot is taken is neither lost nor old") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  std::mt19937 random(3);
  constexpr int kIds = 30'000;  // Some batches of the snapshot.
  for (int id = 0; id < kIds; id += 3) put(*items, &model, id, id);
  for (int round = 0; round < 4; ++round) {
    std::atomic<bool> done = false;
    std::thread snapshots([&] {
      CHECK(items->take_snapshot().ok());
      done = true;
    });
    int writes = 0;
    while (!done || writes < 200) {
      const std::uint64_t id = random() % kIds;
      const int value = static_cast<int>(random() % 1000);
      if (random() % 3 == 0) {
        drop(*items, &model, id);
      } else if (random() % 2 == 0 && model.contains(id)) {
        REQUIRE(items->set_payload(PointId(id), payload_of(model[id])).ok());
      } else {
        put(*items, &model, id, value);
      }
      ++writes;
    }
    snapshots.join();
    items.reset();
    items = home.open().value();
    CHECK(items->count({}).value() == model.size());
    check_equal(*items, model);
  }
}

TEST_CASE("what a crash leaves between the steps of a snapshot is put right") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  for (int i = 0; i < 50; ++i) put(*items, &model, i, i);
  items->close();
  const std::string old_log = bytes_of(home.path / "wal-00000001.log");
  items = home.open().value();
  REQUIRE(items->take_snapshot().ok());
  put(*items, &model, 3, 77);
  items.reset();
  const std::string snapshot = bytes_of(home.path / "snapshot-00000050.lam");

  // The log that was replaced is still there.
  write_file(home.path / "wal-00000001.log", old_log);
  check_equal(*home.open().value(), model);
  CHECK(home.names().size() == 2);

  // The snapshot was never finished, and the log never ended before it.
  write_file(home.path / "wal-00000001.log", old_log);
  write_file(home.path / "snapshot.new", snapshot.substr(0, 100));
  std::filesystem::remove(home.path / "snapshot-00000050.lam");
  check_equal(*home.open().value(), model);
  CHECK(home.found.replayed_records == 51);
  CHECK(home.names() ==
        std::vector<std::string>{"wal-00000001.log", "wal-00000051.log"});

  // Two snapshots: the newer counts.
  write_file(home.path / "snapshot-00000050.lam", snapshot);
  write_file(home.path / "snapshot-00000020.lam", "anything");
  check_equal(*home.open().value(), model);
  CHECK(home.names() ==
        std::vector<std::string>{"snapshot-00000050.lam", "wal-00000051.log"});
}

TEST_CASE("a part that is missing is told, and nothing is touched") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  for (int i = 0; i < 50; ++i) put(*items, &model, i, i);
  REQUIRE(items->take_snapshot().ok());
  items.reset();
  const std::string log = bytes_of(home.path / "wal-00000051.log");
  const std::string snapshot = bytes_of(home.path / "snapshot-00000050.lam");

  std::filesystem::remove(home.path / "wal-00000051.log");
  Status status = home.open().status();
  CHECK(status.code() == StatusCode::data_loss);
  CHECK(status.message().find("wal-00000051.log") != std::string::npos);
  write_file(home.path / "wal-00000051.log", log);

  std::filesystem::remove(home.path / "snapshot-00000050.lam");
  status = home.open().status();
  CHECK(status.code() == StatusCode::data_loss);
  CHECK(status.message().find("wal-00000001.log") != std::string::npos);
  write_file(home.path / "snapshot-00000050.lam", snapshot);

  check_equal(*home.open().value(), model);
}

TEST_CASE("a snapshot that saw more writes than the log has is refused") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  for (int i = 0; i < 10; ++i) put(*items, &model, i, i);
  REQUIRE(items->take_snapshot().ok());
  items.reset();
  auto writer =
      storage::SnapshotWriter::create(home.path / "snapshot-00000010.lam")
          .value();
  REQUIRE(writer->finish({kDimension, 10, 12, 0}).ok());
  const Status status = home.open().status();
  CHECK(status.code() == StatusCode::data_loss);
  CHECK(status.message().find("12") != std::string::npos);
}

TEST_CASE("no damage to a snapshot is silent") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  for (int i = 0; i < 3; ++i) put(*items, &model, i, i);
  REQUIRE(items->take_snapshot().ok());
  items.reset();
  const auto path = home.path / "snapshot-00000003.lam";
  const std::string whole = bytes_of(path);
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    write_file(path, damaged);
    CAPTURE(bit);
    const auto opened = home.open();
    if (opened.ok()) {
      check_equal(**opened, model);  // Padding, which holds nothing.
      CHECK(bit / 8 >= whole.size() - storage::kRecordAlignment);
    } else {
      CHECK(opened.status().message().find("snapshot-00000003.lam") !=
            std::string::npos);
    }
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(path, whole.substr(0, size));
    CAPTURE(size);
    CHECK(home.open().status().code() == StatusCode::data_loss);
    CHECK(std::filesystem::file_size(path) == size);
  }
  write_file(path, whole + "x");
  CHECK(home.open().status().code() == StatusCode::data_loss);
}

TEST_CASE("damage to a log that was ended is never taken for a torn tail") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  auto items = home.create();
  for (int i = 0; i < 5; ++i) put(*items, &model, i, i);
  items->close();
  std::string log = bytes_of(home.path / "wal-00000001.log");
  log[log.size() - 40] ^= 1;  // In the last record.
  write_file(home.path / "wal-00000001.log", log);
  const Status status = home.open().status();
  CHECK(status.code() == StatusCode::data_loss);
  CHECK(status.message().find("offset") != std::string::npos);
  CHECK(bytes_of(home.path / "wal-00000001.log") == log);
}

// After a power loss pages of what was never synced can be missing anywhere.
TEST_CASE("a hole among writes that did not wait for the disk ends the log") {
  const test::TemporaryDirectory directory;
  Home home(directory.path() / "items");
  Model model;
  std::size_t first_end = 0;
  std::size_t second_end = 0;
  std::string log;
  {
    auto items = home.create();
    const auto size_of_log = [&] {
      log = bytes_of(home.path / "wal-00000001.log");
      return log.find_last_not_of('\0') + 1;
    };
    put(*items, &model, 1, 1);
    REQUIRE(items->flush().ok());
    first_end = size_of_log();
    put(*items, &model, 2, 2);
    second_end = size_of_log();
    for (int i = 3; i < 10; ++i) put(*items, &model, i, i);
    size_of_log();
  }
  std::string holed = log;
  std::fill(holed.begin() + first_end + 8, holed.begin() + second_end, '\0');
  write_file(home.path / "wal-00000001.log", holed);
  {
    auto items = home.open().value();
    CHECK(items->count({}).value() == 1);
    CHECK(home.found.torn_records == 7);
    CHECK(home.found.torn_bytes > 0);
  }
  // But not when what is missing was on the disk.
  std::string damaged = log;
  std::fill(damaged.begin() + storage::kLogHeaderBytes,
            damaged.begin() + first_end, '\0');
  write_file(home.path / "wal-00000001.log", damaged);
  const Status status = home.open().status();
  CHECK(status.code() == StatusCode::data_loss);
  CHECK(status.message().find("offset 32") != std::string::npos);
}

// What the second record of a log knew to be on the disk when it was written.
std::uint64_t durable_at_second_write(std::chrono::milliseconds interval) {
  const test::TemporaryDirectory directory;
  DatabaseOptions database_options;
  database_options.sync_interval = interval;
  auto db = Database::open(directory.path(), database_options).value();
  auto items = db->create_collection("items", options()).value();
  Model model;
  put(*items, &model, 1, 1);
  const auto log = directory.path() / "collection-1" / "wal-00000001.log";
  storage::RecordHeader header;
  std::size_t next = storage::kLogHeaderBytes;
  REQUIRE(storage::decode_record_header(bytes_of(log).substr(next), &header));
  next += storage::record_bytes(header.body_length);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  put(*items, &model, 2, 2);
  REQUIRE(storage::decode_record_header(bytes_of(log).substr(next), &header));
  return header.durable_sequence;
}

TEST_CASE("a write that does not wait is on the disk after the interval") {
  CHECK(durable_at_second_write(std::chrono::milliseconds(10)) == 1);
  CHECK(durable_at_second_write(std::chrono::milliseconds(0)) == 0);
}

std::uint64_t bytes_below(const std::filesystem::path& path) {
  std::uint64_t bytes = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(path)) {
    std::error_code gone;
    const auto size = entry.file_size(gone);
    if (!gone && entry.is_regular_file(gone)) bytes += size;
  }
  return bytes;
}

TEST_CASE("endless change at constant size takes no more than three times it") {
  for (const bool on_thread : {true, false}) {
    CAPTURE(on_thread);
    const test::TemporaryDirectory directory;
    DatabaseOptions database_options;
    database_options.upkeep_thread = on_thread;
    auto db = Database::open(directory.path(), database_options).value();
    CollectionOptions large = options();
    large.dimension = 512;
    auto items = db->create_collection("items", large).value();
    constexpr std::size_t kPoints = 4'000;
    constexpr std::uint64_t kLive = kPoints * 512 * 4;
    std::vector<float> vector(512, 1.0f);
    std::vector<Point> points;
    for (std::uint64_t i = 0; i < 100; ++i) points.push_back({0, vector, {}});
    std::uint64_t most = 0;
    for (std::uint64_t round = 0; round < 400; ++round) {
      if (round == 200) {
        items.reset();
        db.reset();
        db = Database::open(directory.path(), database_options).value();
        items = db->open_collection("items").value();
      }
      for (std::uint64_t i = 0; i < 100; ++i) {
        points[i].id = PointId((round * 100 + i) % kPoints);
      }
      REQUIRE(items->upsert(points).ok());
      most = std::max(most, bytes_below(directory.path()));
    }
    // And what is allowed to small collections.
    CHECK(most < 3 * kLive + (6u << 20));
    CHECK(most > kLive);
    items.reset();
    db.reset();
    db = Database::open(directory.path()).value();
    CHECK(db->recovery().at(0).status.ok());
    CHECK(db->open_collection("items").value()->count().value() == kPoints);
  }
}

}  // namespace
}  // namespace lamina
