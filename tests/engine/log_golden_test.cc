// Logs as each version of the format wrote them (data/golden). They are read
// for ever: these files never change.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lamina/database.h"
#include "storage/log_reader.h"
#include "storage/manifest.h"
#include "storage/record_body.h"
#include "support/temporary_directory.h"

namespace lamina::storage {
namespace {

const std::filesystem::path kGolden =
    std::filesystem::path(LAMINA_TEST_DATA_DIR) / "golden";

constexpr std::size_t kDimension = 3;
const std::vector<float> kA = {1.0f, -0.5f, 0.25f};
const std::vector<float> kB = {0.0f, 3.0e-38f, 2.0f};
const std::vector<float> kC = {-1.0f, -2.0f, -3.0f};
const PointId kUuid =
    PointId::parse_uuid("98a9a4b1-4ef2-46fb-8315-a97d874fe1d7").value();
constexpr std::uint64_t kLargest = 18446744073709551615u;

Payload payload_of(std::string_view json) {
  return Payload::from_json(json).value();
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What the logs of all versions begin with.
std::vector<std::string> first_records() {
  const std::vector<Point> two = {
      {PointId(7), kA, payload_of(R"({"city":"K\u00f6ln","n":[1,2.50]})")},
      {kUuid, kB, {}}};
  const std::vector<Point> one = {
      {PointId(kLargest), kC, payload_of(R"({"a":{}})")}};
  return {encode_upsert_record(two, kDimension),
          encode_upsert_record(one, kDimension),
          encode_remove_record(std::vector<PointId>{7, 9})};
}

// What version 1 does not have.
std::vector<std::string> payload_records() {
  const std::vector<PointId> both = {kUuid, kLargest};
  return {
      encode_edit_payload_record(
          SetPayload{payload_of(R"({"x":1,"y":null})"), "a.\"b.c\""}, both),
      encode_edit_payload_record(SetPayload{payload_of(R"({"z":"é"})"), ""},
                                 std::vector<PointId>{kUuid}),
      encode_edit_payload_record(DeletePayload{{"a.\"b.c\".x", "q[]"}},
                                 std::vector<PointId>{kLargest}),
      encode_create_index_record("z", PayloadIndexType::keyword),
      encode_create_index_record("n[].m", PayloadIndexType::integer),
      encode_create_index_record("r", PayloadIndexType::floating),
      encode_create_index_record("b", PayloadIndexType::boolean),
      encode_create_index_record("t", PayloadIndexType::datetime),
      encode_create_index_record("u", PayloadIndexType::uuid),
      encode_create_index_record("w", PayloadIndexType::text),
      encode_drop_index_record("n[].m"),
      encode_edit_payload_record(OverwritePayload{payload_of(R"({"o":0})")},
                                 std::vector<PointId>{kLargest}),
      encode_edit_payload_record(ClearPayload{}, {}),
  };
}

// A database directory whose only collection has this log.
void make_database(const std::filesystem::path& directory,
                   const std::string& log) {
  CollectionOptions options;
  options.dimension = kDimension;
  options.metric = Metric::dot;
  std::filesystem::create_directories(directory / "collection-1");
  REQUIRE(write_manifest(directory / "collection-1" / "MANIFEST",
                         {"items", options})
              .ok());
  std::ofstream(directory / "collection-1" / "wal-00000001.log",
                std::ios::binary)
      << log;
}

std::string record_text(const Collection& items, const PointId& id) {
  return std::string(items.get(id).value().payload->json());
}

// As if three had been on the disk when the file was opened, and none since.
std::string log_of_version_3() {
  std::string log = encode_log_header(1, 3);
  std::uint64_t sequence = 0;
  for (auto records : {first_records(), payload_records()}) {
    for (std::string& record : records) {
      ++sequence;
      seal_record(&record, sequence, std::min<std::uint64_t>(sequence - 1, 3));
      log += record;
    }
  }
  return log;
}

TEST_CASE("a log of version 3 is written as it was") {
  CHECK(log_of_version_3() == bytes_of(kGolden / "log-v3.log"));
}

TEST_CASE("logs of versions 2 and 3 are read as they were meant") {
  for (const std::string name : {"log-v2.log", "log-v3.log"}) {
    CAPTURE(name);
    const test::TemporaryDirectory directory;
    make_database(directory.path(), bytes_of(kGolden / name));
    auto db = Database::open(directory.path()).value();
    auto items = db->open_collection("items").value();
    CHECK(db->recovery().at(0).replayed_writes == 16);
    CHECK(items->count().value() == 2);
    CHECK(record_text(*items, kUuid) == R"({"a":{"b.c":{"x":1}},"z":"é"})");
    CHECK(record_text(*items, kLargest) == R"({"o":0})");
    CHECK(items->get(kLargest).value().vector == kC);
    std::string indexes;
    const CollectionInfo info = items->info().value();
    for (const PayloadIndexInfo& index : info.payload_indexes) {
      indexes += index.key + ':' + std::string(to_string(index.type)) + ' ';
    }
    CHECK(indexes == "b:bool r:float t:datetime u:uuid w:text z:keyword ");
  }
}

TEST_CASE("a log of version 1 is read, and takes writes of version 3") {
  const test::TemporaryDirectory directory;
  const std::string old = bytes_of(kGolden / "log-v1.log");
  REQUIRE(old.size() > kLogHeaderBytes);
  REQUIRE(decode_log_header(old)->version == 1);
  make_database(directory.path(), old);
  for (int round = 0; round < 2; ++round) {
    auto db = Database::open(directory.path()).value();
    REQUIRE(db->recovery().at(0).status.ok());
    auto items = db->open_collection("items").value();
    CHECK(items->count().value() == 2);
    CHECK(items->get(kUuid).value().vector == kB);
    if (round == 0) {
      CHECK(record_text(*items, kLargest) == R"({"a":{}})");
      CHECK(items->set_payload(PointId(kLargest), payload_of(R"({"b":1})"))
                .value()
                .sequence == 4);
    } else {
      CHECK(record_text(*items, kLargest) == R"({"a":{},"b":1})");
    }
  }
  const std::string raised =
      bytes_of(directory.path() / "collection-1" / "wal-00000001.log");
  CHECK(decode_log_header(raised)->version == 3);
  CHECK(decode_log_header(raised)->durable_sequence == 4);
  CHECK(raised.substr(kLogHeaderBytes, old.size() - kLogHeaderBytes) ==
        old.substr(kLogHeaderBytes));
}

// Whether a record of this type and body is taken for damage.
bool is_refused(RecordType type, const std::string& body) {
  return decode_record_body(type, body, kDimension, Metric::dot)
             .status()
             .code() == StatusCode::data_loss;
}

TEST_CASE("every body cut short, or longer than it says, is damage") {
  const std::vector<std::pair<RecordType, std::string>> records = {
      {RecordType::edit_payload,
       encode_edit_payload_record(SetPayload{payload_of(R"({"a":1})"), "b"},
                                  std::vector<PointId>{1, kUuid})},
      {RecordType::edit_payload,
       encode_edit_payload_record(DeletePayload{{"a", "b"}},
                                  std::vector<PointId>{1})},
      {RecordType::create_index,
       encode_create_index_record("a.b", PayloadIndexType::text)},
      {RecordType::drop_index, encode_drop_index_record("a.b")}};
  for (auto [type, record] : records) {
    seal_record(&record, 1, 0);
    RecordHeader header;
    REQUIRE(decode_record_header(record, &header));
    const std::string body =
        record.substr(kRecordHeaderBytes, header.body_length);
    CHECK(decode_record_body(type, body, kDimension, Metric::dot).ok());
    for (std::size_t size = 0; size < body.size(); ++size) {
      CHECK(is_refused(type, body.substr(0, size)));
    }
    CHECK(is_refused(type, body + '\0'));
    // Every count and length, made as large as it goes.
    for (std::size_t at = 0; at + 4 <= body.size(); ++at) {
      std::string bad = body;
      bad.replace(at, 4, "\xff\xff\xff\xff");
      static_cast<void>(
          decode_record_body(type, bad, kDimension, Metric::dot).ok());
      if (at % 4 == 0 && at < 4) CHECK(is_refused(type, bad));
    }
  }
}

TEST_CASE("an edit that no program writes is damage where it stands") {
  const test::TemporaryDirectory directory;
  for (const PayloadEdit& edit :
       {PayloadEdit(DeletePayload{}), PayloadEdit(DeletePayload{{"a."}}),
        PayloadEdit(SetPayload{{}, "[0]"}), PayloadEdit(ClearPayload{})}) {
    std::string log = bytes_of(kGolden / "log-v2.log");
    // Of a point that is not there: what the last one is refused for.
    std::string record =
        encode_edit_payload_record(edit, std::vector<PointId>{12345});
    seal_record(&record, 17, 16);
    const auto path = directory.path() / std::to_string(edit.index()) /
                      std::to_string(log.size());
    make_database(path, log + record);
    auto db = Database::open(path).value();
    const Status status = db->recovery().at(0).status;
    CHECK(status.code() == StatusCode::data_loss);
    CHECK(status.message().find("offset") != std::string::npos);
    std::filesystem::remove_all(path);
  }
}

}  // namespace
}  // namespace lamina::storage
