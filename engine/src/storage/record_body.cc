#include "storage/record_body.h"

#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "lamina/limits.h"
#include "storage/bytes.h"
#include "types/validate.h"

namespace lamina::storage {
namespace {

constexpr std::size_t kIdBytes = 17;  // Kind, then 16 bytes.

void put_id(std::string* bytes, const PointId& id) {
  put<std::uint8_t>(bytes, id.is_uuid() ? 1 : 0);
  if (id.is_uuid()) {
    const PointId::UuidBytes uuid = id.uuid();
    bytes->append(reinterpret_cast<const char*>(uuid.data()), uuid.size());
    return;
  }
  put<std::uint64_t>(bytes, id.number());
  put<std::uint64_t>(bytes, 0);
}

PointId get_id(ByteReader* reader) {
  const bool is_uuid = reader->get<std::uint8_t>() != 0;
  const std::string_view bytes = reader->get_bytes(16);
  if (bytes.empty()) return {};
  if (is_uuid) {
    PointId::UuidBytes uuid;
    std::memcpy(uuid.data(), bytes.data(), uuid.size());
    return PointId::from_uuid(uuid);
  }
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return PointId(number);
}

void put_text(std::string* bytes, std::string_view text) {
  put<std::uint32_t>(bytes, static_cast<std::uint32_t>(text.size()));
  bytes->append(text);
}

std::string_view get_text(ByteReader* reader) {
  return reader->get_bytes(reader->get<std::uint32_t>());
}

std::size_t upsert_body_bytes(std::span<const Point> points,
                              std::size_t dimension) {
  std::size_t bytes = 8;
  for (const Point& point : points) {
    bytes += kIdBytes + 4 + dimension * sizeof(float) +
             (point.payload.empty() ? 0 : point.payload.json().size());
  }
  return bytes;
}

Status bad_body(std::string_view reason) {
  return Status::data_loss("record body " + std::string(reason));
}

void put_points(std::string* record, std::span<const Point> points,
                std::size_t dimension) {
  put<std::uint32_t>(record, static_cast<std::uint32_t>(points.size()));
  put<std::uint32_t>(record, static_cast<std::uint32_t>(dimension));
  for (const Point& point : points) {
    const std::string_view payload =
        point.payload.empty() ? std::string_view() : point.payload.json();
    put_id(record, point.id);
    put<std::uint32_t>(record, static_cast<std::uint32_t>(payload.size()));
    record->append(reinterpret_cast<const char*>(point.vector.data()),
                   dimension * sizeof(float));
    record->append(payload);
  }
}

// Nothing unless it is what json() of a payload returned, as all that look into
// payloads later take for granted.
std::optional<Payload> payload_of(std::string_view text) {
  if (text.empty()) return Payload();
  Result<Payload> payload = Payload::from_json(text);
  if (!payload.ok() || payload->json() != text) return std::nullopt;
  return *std::move(payload);
}

Result<UpsertBody> get_points(ByteReader* body, std::size_t dimension,
                              Metric metric) {
  ByteReader& reader = *body;
  const auto count = reader.get<std::uint32_t>();
  const auto stored_dimension = reader.get<std::uint32_t>();
  if (stored_dimension != dimension) {
    return bad_body("has dimension " + std::to_string(stored_dimension) +
                    ", collection has " + std::to_string(dimension));
  }
  const std::size_t vector_bytes = dimension * sizeof(float);
  if (count > reader.left() / (kIdBytes + 4 + vector_bytes)) {
    return bad_body("is too short for its count");
  }
  UpsertBody decoded;
  decoded.values.resize(count * dimension);
  decoded.points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const PointId id = get_id(&reader);
    const auto payload_bytes = reader.get<std::uint32_t>();
    const std::string_view bytes = reader.get_bytes(vector_bytes);
    const std::string_view payload = reader.get_bytes(payload_bytes);
    if (reader.overrun()) return bad_body("is too short");
    float* values = decoded.values.data() + i * dimension;
    std::memcpy(values, bytes.data(), vector_bytes);
    const VectorView vector(values, dimension);
    const Status valid = validate_vector(vector, dimension, metric, "vector");
    if (!valid.ok()) return bad_body("holds a bad " + valid.message());
    std::optional<Payload> read = payload_of(payload);
    if (!read) return bad_body("holds a payload that no program wrote");
    decoded.points.push_back({id, vector, *std::move(read)});
  }
  return decoded;
}

Result<RecordBody> decode_upsert_body(std::string_view body,
                                      std::size_t dimension, Metric metric) {
  ByteReader reader(body);
  Result<UpsertBody> points = get_points(&reader, dimension, metric);
  if (!points.ok()) return points.status();
  if (reader.left() != 0) return bad_body("is too long for its count");
  return RecordBody(*std::move(points));
}

Result<RecordBody> decode_rows_body(std::string_view body,
                                    std::size_t dimension, Metric metric) {
  ByteReader reader(body);
  Result<UpsertBody> points = get_points(&reader, dimension, metric);
  if (!points.ok()) return points.status();
  RowsBody rows = {*std::move(points), {}};
  rows.versions.resize(rows.rows.points.size());
  for (std::uint64_t& version : rows.versions) {
    version = reader.get<std::uint64_t>();
  }
  if (reader.overrun() || reader.left() != 0) {
    return bad_body("does not fit its count");
  }
  return RecordBody(std::move(rows));
}

// The ids that are the rest of a body.
Result<std::vector<PointId>> decode_ids(std::uint64_t count,
                                        ByteReader* reader) {
  if (reader->overrun() || reader->left() != count * kIdBytes) {
    return bad_body("does not fit its count");
  }
  std::vector<PointId> ids;
  ids.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) ids.push_back(get_id(reader));
  return ids;
}

Result<RecordBody> decode_remove_body(std::string_view body) {
  ByteReader reader(body);
  const auto count = reader.get<std::uint32_t>();
  Result<std::vector<PointId>> ids = decode_ids(count, &reader);
  if (!ids.ok()) return ids.status();
  return RecordBody(RemoveBody{*std::move(ids)});
}

// An edit in a body is its kind, an index into PayloadEdit and 1, and texts.
//   set        payload, key
//   overwrite  payload
//   delete     keys
//   clear
using Texts = std::vector<std::string_view>;

static_assert(
    std::is_same_v<std::variant_alternative_t<0, PayloadEdit>, SetPayload> &&
        std::is_same_v<std::variant_alternative_t<1, PayloadEdit>,
                       OverwritePayload> &&
        std::is_same_v<std::variant_alternative_t<2, PayloadEdit>,
                       DeletePayload> &&
        std::is_same_v<std::variant_alternative_t<3, PayloadEdit>,
                       ClearPayload>,
    "the order is part of the file format");

Texts texts_of(const PayloadEdit& edit) {
  if (const auto* set = std::get_if<SetPayload>(&edit)) {
    return {set->payload.json(), set->key};
  }
  if (const auto* overwrite = std::get_if<OverwritePayload>(&edit)) {
    return {overwrite->payload.json()};
  }
  if (const auto* erase = std::get_if<DeletePayload>(&edit)) {
    return {erase->keys.begin(), erase->keys.end()};
  }
  return {};
}

std::optional<PayloadEdit> edit_of(std::uint32_t kind, const Texts& texts) {
  if (kind == 1 && texts.size() == 2) {
    Result<Payload> payload = Payload::from_json(texts[0]);
    if (!payload.ok()) return std::nullopt;
    return SetPayload{*std::move(payload), std::string(texts[1])};
  }
  if (kind == 2 && texts.size() == 1) {
    Result<Payload> payload = Payload::from_json(texts[0]);
    if (!payload.ok()) return std::nullopt;
    return OverwritePayload{*std::move(payload)};
  }
  if (kind == 3) return DeletePayload{{texts.begin(), texts.end()}};
  if (kind == 4 && texts.empty()) return ClearPayload{};
  return std::nullopt;
}

Result<RecordBody> decode_edit_payload_body(std::string_view body) {
  ByteReader reader(body);
  const auto id_count = reader.get<std::uint32_t>();
  const auto kind = reader.get<std::uint32_t>();
  const auto text_count = reader.get<std::uint32_t>();
  if (text_count > kMaxPayloadKeys) return bad_body("has too many texts");
  Texts texts;
  for (std::uint32_t i = 0; i < text_count; ++i) {
    texts.push_back(get_text(&reader));
  }
  Result<std::vector<PointId>> ids = decode_ids(id_count, &reader);
  if (!ids.ok()) return ids.status();
  std::optional<PayloadEdit> edit = edit_of(kind, texts);
  if (!edit) return bad_body("holds an edit that no program wrote");
  return RecordBody(EditPayloadBody{*std::move(edit), *std::move(ids)});
}

// Numbers on the disk, apart from the enumerators' order in the source.
constexpr std::array<std::pair<std::uint32_t, PayloadIndexType>, 7> kIndexTypes{
    {{1, PayloadIndexType::keyword},
     {2, PayloadIndexType::integer},
     {3, PayloadIndexType::floating},
     {4, PayloadIndexType::boolean},
     {5, PayloadIndexType::datetime},
     {6, PayloadIndexType::uuid},
     {7, PayloadIndexType::text}}};

Result<RecordBody> decode_create_index_body(std::string_view body) {
  ByteReader reader(body);
  const auto number = reader.get<std::uint32_t>();
  const std::string_view key = get_text(&reader);
  if (reader.overrun() || reader.left() != 0) {
    return bad_body("does not fit its key");
  }
  for (const auto& [known, type] : kIndexTypes) {
    if (known == number) {
      return RecordBody(CreateIndexBody{std::string(key), type});
    }
  }
  return bad_body("names index type " + std::to_string(number) +
                  ", which is none");
}

Result<RecordBody> decode_drop_index_body(std::string_view body) {
  ByteReader reader(body);
  const std::string_view key = get_text(&reader);
  if (reader.overrun() || reader.left() != 0) {
    return bad_body("does not fit its key");
  }
  return RecordBody(DropIndexBody{std::string(key)});
}

}  // namespace

std::size_t upsert_record_bytes(std::span<const Point> points,
                                std::size_t dimension) {
  return record_bytes(upsert_body_bytes(points, dimension));
}

std::size_t row_bytes(std::size_t dimension) {
  return kIdBytes + 4 + dimension * sizeof(float) + sizeof(std::uint64_t);
}

std::string encode_upsert_record(std::span<const Point> points,
                                 std::size_t dimension) {
  std::string record = begin_record(upsert_body_bytes(points, dimension));
  put_points(&record, points, dimension);
  return end_record(std::move(record), RecordType::upsert);
}

std::string encode_rows_record(std::span<const Point> points,
                               std::span<const std::uint64_t> versions,
                               std::size_t dimension) {
  std::string record = begin_record(upsert_body_bytes(points, dimension) +
                                    versions.size_bytes());
  put_points(&record, points, dimension);
  for (const std::uint64_t version : versions) put(&record, version);
  return end_record(std::move(record), RecordType::rows);
}

std::string encode_remove_record(std::span<const PointId> ids) {
  std::string record = begin_record(4 + ids.size() * kIdBytes);
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(ids.size()));
  for (const PointId& id : ids) put_id(&record, id);
  return end_record(std::move(record), RecordType::remove);
}

std::string encode_edit_payload_record(const PayloadEdit& edit,
                                       std::span<const PointId> ids) {
  const Texts texts = texts_of(edit);
  std::size_t bytes = 12 + ids.size() * kIdBytes;
  for (const std::string_view text : texts) bytes += 4 + text.size();
  std::string record = begin_record(bytes);
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(ids.size()));
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(edit.index() + 1));
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(texts.size()));
  for (const std::string_view text : texts) put_text(&record, text);
  for (const PointId& id : ids) put_id(&record, id);
  return end_record(std::move(record), RecordType::edit_payload);
}

std::string encode_create_index_record(std::string_view key,
                                       PayloadIndexType type) {
  std::string record = begin_record(8 + key.size());
  for (const auto& [number, known] : kIndexTypes) {
    if (known == type) put<std::uint32_t>(&record, number);
  }
  put_text(&record, key);
  return end_record(std::move(record), RecordType::create_index);
}

std::string encode_drop_index_record(std::string_view key) {
  std::string record = begin_record(4 + key.size());
  put_text(&record, key);
  return end_record(std::move(record), RecordType::drop_index);
}

Result<RecordBody> decode_record_body(RecordType type, std::string_view body,
                                      std::size_t dimension, Metric metric) {
  switch (type) {
    case RecordType::upsert:
      return decode_upsert_body(body, dimension, metric);
    case RecordType::remove:
      return decode_remove_body(body);
    case RecordType::edit_payload:
      return decode_edit_payload_body(body);
    case RecordType::create_index:
      return decode_create_index_body(body);
    case RecordType::drop_index:
      return decode_drop_index_body(body);
    case RecordType::rows:
      return decode_rows_body(body, dimension, metric);
  }
  return bad_body("is of unknown type " +
                  std::to_string(static_cast<std::uint32_t>(type)));
}

}  // namespace lamina::storage
