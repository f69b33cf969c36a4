#include "fuzz/record_seeds.h"

#include "storage/record_body.h"

namespace lamina::fuzz {
namespace {

const std::vector<float> kVector = {1.0f, -2.0f, 0.5f};

PointId uuid() {
  return PointId::parse_uuid("550e8400-e29b-41d4-a716-446655440000").value();
}

std::vector<Point> some_points() {
  return {{1, kVector, Payload::from_json(R"({"a":1})").value()},
          {uuid(), kVector, Payload()}};
}

}  // namespace

std::vector<std::string> log_records() {
  const std::vector<Point> points = some_points();
  const std::vector<PointId> ids = {uuid()};
  const Payload payload = Payload::from_json(R"({"b":[2]})").value();
  return {
      storage::encode_upsert_record(points, kRecordDimension),
      storage::encode_create_index_record("a", PayloadIndexType::integer),
      storage::encode_edit_payload_record(SetPayload{payload, "c"}, ids),
      storage::encode_edit_payload_record(OverwritePayload{payload}, ids),
      storage::encode_edit_payload_record(DeletePayload{{"b", "c.b[]"}}, ids),
      storage::encode_edit_payload_record(ClearPayload{}, ids),
      storage::encode_drop_index_record("a"),
      storage::encode_remove_record(ids),
  };
}

std::vector<std::string> snapshot_records() {
  const std::vector<std::uint64_t> versions = {3, 4};
  return {
      storage::encode_create_index_record("a", PayloadIndexType::keyword),
      storage::encode_rows_record(some_points(), versions, kRecordDimension)};
}

}  // namespace lamina::fuzz
