// LogWriter, LogReader and the format between them, on real files.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "storage/log_format.h"
#include "storage/log_reader.h"
#include "storage/log_writer.h"
#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina::storage {
namespace {

constexpr std::size_t kDimension = 5;

std::string record_of(std::uint64_t sequence) {
  const std::vector<float> vector(kDimension, static_cast<float>(sequence));
  const Point point = {PointId(sequence), vector,
                       Payload::from_checked_json(R"({"a":1})")};
  std::string record = encode_upsert_record({&point, 1}, kDimension);
  seal_record(&record, sequence, sequence - 1);
  return record;
}

// The bytes of a log with `count` records, without the space taken ahead.
std::string log_bytes(std::uint64_t count) {
  std::string bytes = encode_log_header(1, 0);
  for (std::uint64_t i = 1; i <= count; ++i) bytes += record_of(i);
  return bytes;
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct Replay {
  Result<ReplayResult> result;
  std::vector<std::uint64_t> ids;
};

Replay replay(const std::filesystem::path& path) {
  const auto file = open_file(path, /*create=*/false).value();
  std::vector<std::uint64_t> ids;
  auto result = replay_log(*file, kDimension, Metric::dot, LogEnd::open,
                           [&](std::uint64_t sequence, const RecordBody& body) {
                             const auto& upsert = std::get<UpsertBody>(body);
                             CHECK(upsert.points[0].id.number() == sequence);
                             ids.push_back(sequence);
                             return Status();
                           });
  return {std::move(result), std::move(ids)};
}

TEST_CASE("what was appended is read back, and zeros behind it are no damage") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  auto writer = LogWriter::create(path, 1).value();
  for (std::uint64_t i = 1; i <= 20; ++i) {
    REQUIRE(writer->append(record_of(i)).ok());
  }
  writer.reset();
  CHECK(std::filesystem::file_size(path) > log_bytes(20).size());
  const Replay read = replay(path);
  REQUIRE(read.result.ok());
  CHECK(read.ids.size() == 20);
  CHECK(read.result->last_sequence == 20);
  CHECK(read.result->torn_bytes == 0);
  CHECK(read.result->end == log_bytes(20).size());
}

TEST_CASE(
    "cut at every byte of the last three records, replay keeps exactly "
    "the whole ones") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  const std::string bytes = log_bytes(8);
  const std::size_t record_size = record_of(1).size();
  for (std::size_t size = bytes.size() - 3 * record_size; size <= bytes.size();
       ++size) {
    write_file(path, bytes.substr(0, size));
    const Replay read = replay(path);
    CAPTURE(size);
    REQUIRE(read.result.ok());
    const std::size_t whole = (size - kLogHeaderBytes) / record_size;
    CHECK(read.ids.size() == whole);
    CHECK(read.result->end == kLogHeaderBytes + whole * record_size);
    CHECK(read.result->torn_bytes <=
          size - kLogHeaderBytes - whole * record_size);
  }
}

TEST_CASE(
    "a flipped bit is never silent: in the last record a torn tail, "
    "before it damage with file and offset") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  const std::string bytes = log_bytes(6);
  const std::size_t record_size = record_of(1).size();
  const std::size_t last_record = bytes.size() - record_size;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    write_file(path, damaged);
    const Replay read = replay(path);
    CAPTURE(bit);
    if (bit / 8 < kLogHeaderBytes) {
      CHECK_FALSE(read.result.ok());
      continue;
    }
    // Padding is covered by no checksum, and holds nothing.
    const std::size_t in_record = (bit / 8 - kLogHeaderBytes) % record_size;
    const std::size_t record_body = 8 + 17 + 4 + kDimension * 4 + 7;
    if (in_record >= kRecordHeaderBytes + record_body) {
      CHECK(read.ids.size() == 6);
      continue;
    }
    if (bit / 8 >= last_record) {
      REQUIRE(read.result.ok());
      CHECK(read.ids.size() == 5);
      CHECK(read.result->torn_bytes > 0);
      continue;
    }
    REQUIRE_FALSE(read.result.ok());
    CHECK(read.result.status().code() == StatusCode::data_loss);
    CHECK(read.result.status().message().find("offset") != std::string::npos);
    CHECK(read.result.status().message().find("log") != std::string::npos);
  }
}

TEST_CASE("a length field that lies takes no memory") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  for (const std::uint32_t length :
       {0u, 1u, 0x3fffffffu, 0x80000000u, 0xffffffffu}) {
    std::string bytes = log_bytes(1);
    std::string record = record_of(2);
    record.replace(4, 4, reinterpret_cast<const char*>(&length), 4);
    seal_record(&record, 2, 1);  // Checksum of the header holds.
    write_file(path, bytes + record);
    const Replay read = replay(path);
    CAPTURE(length);
    REQUIRE(read.result.ok());
    CHECK(read.ids.size() == 1);
  }
}

TEST_CASE("a payload that is none is damage, whatever the checksum says") {
  const std::vector<float> vector(kDimension, 1.0f);
  for (const std::string_view text : {R"({"a":)", R"({"a": 1})", "[]"}) {
    const Point point = {PointId(1), vector, Payload::from_checked_json(text)};
    const std::string record = encode_upsert_record({&point, 1}, kDimension);
    std::string_view body = std::string_view(record).substr(kRecordHeaderBytes);
    body.remove_suffix(record.size() - kRecordHeaderBytes -
                       (8 + 17 + 4 + 4 * kDimension + text.size()));
    const auto read =
        decode_record_body(RecordType::upsert, body, kDimension, Metric::dot);
    CHECK(read.status().code() == StatusCode::data_loss);
    CHECK(read.status().message().find("payload") != std::string::npos);
  }
}

TEST_CASE("records out of sequence are damage") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  write_file(path, encode_log_header(1, 0) + record_of(1) + record_of(3));
  const Replay read = replay(path);
  REQUIRE_FALSE(read.result.ok());
  CHECK(read.result.status().code() == StatusCode::data_loss);
}

TEST_CASE("a newer version is refused and not touched") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  std::string bytes = log_bytes(2);
  bytes[8] = kLogVersion + 1;
  write_file(path, bytes);
  const Replay read = replay(path);
  REQUIRE_FALSE(read.result.ok());
  CHECK(read.result.status().code() == StatusCode::invalid_argument);
  CHECK(std::filesystem::file_size(path) == bytes.size());
}

// A file that fails when told to.
class FaultyFile : public File {
 public:
  explicit FaultyFile(std::unique_ptr<File> file) : file_(std::move(file)) {}

  Result<std::string> read_at(std::uint64_t offset,
                              std::size_t size) const override {
    return file_->read_at(offset, size);
  }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    if (!write_fails) return file_->write_at(offset, bytes);
    // Half of it gets there, as on a full disk.
    const Status half =
        file_->write_at(offset, bytes.substr(0, bytes.size() / 2));
    return half.ok() ? Status::resource_exhausted("disk full") : half;
  }
  Status sync() override { return file_->sync(); }
  Status truncate(std::uint64_t size) override {
    return truncate_fails ? Status::io_error("no") : file_->truncate(size);
  }
  Result<std::uint64_t> size() const override { return file_->size(); }
  const std::filesystem::path& path() const override { return file_->path(); }

  bool write_fails = false;
  bool truncate_fails = false;

 private:
  std::unique_ptr<File> file_;
};

struct FaultyLog {
  explicit FaultyLog(const std::filesystem::path& path) {
    write_file(path, log_bytes(1));
    auto owned = std::make_unique<FaultyFile>(open_file(path, false).value());
    file = owned.get();
    const std::uint64_t size = log_bytes(1).size();
    writer = std::make_unique<LogWriter>(std::move(owned), 1, size, size);
  }
  FaultyFile* file;
  std::unique_ptr<LogWriter> writer;
};

TEST_CASE(
    "a write refused for lack of space leaves nothing, and later ones "
    "succeed") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "log";
  FaultyLog log(path);
  log.file->write_fails = true;
  CHECK(log.writer->append(record_of(2)).code() ==
        StatusCode::resource_exhausted);
  log.file->write_fails = false;
  CHECK(log.writer->append(record_of(2)).ok());
  log.file->write_fails = true;
  CHECK_FALSE(log.writer->append(record_of(3)).ok());
  const Replay read = replay(path);
  REQUIRE(read.result.ok());
  CHECK(read.ids == std::vector<std::uint64_t>{1, 2});
  CHECK(read.result->torn_bytes == 0);
}

TEST_CASE("a failed write that cannot be undone ends all writing") {
  const test::TemporaryDirectory directory;
  FaultyLog log(directory.path() / "log");
  log.file->write_fails = true;
  log.file->truncate_fails = true;
  CHECK(log.writer->append(record_of(2)).code() == StatusCode::data_loss);
  log.file->write_fails = false;
  log.file->truncate_fails = false;
  CHECK(log.writer->append(record_of(2)).code() == StatusCode::data_loss);
}

}  // namespace
}  // namespace lamina::storage
