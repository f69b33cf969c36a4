#include "storage/log_format.h"

#include <cassert>
#include <cstring>

#include "lamina/limits.h"
#include "storage/bytes.h"
#include "storage/crc32c.h"
#include "types/validate.h"

namespace lamina::storage {
namespace {

constexpr std::string_view kLogMagic = "LAMINALG";
constexpr std::size_t kIdBytes = 17;  // Kind, then 16 bytes.
constexpr std::size_t kSequenceOffset = 8;

constexpr std::size_t padded_to_alignment(std::size_t bytes) {
  return (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
}

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

// The header's place is left open: seal_record() fills it.
std::string begin_record(std::size_t body_bytes) {
  std::string record;
  record.reserve(kRecordHeaderBytes + padded_to_alignment(body_bytes));
  record.resize(kRecordHeaderBytes);
  return record;
}

std::string end_record(std::string record, RecordType type) {
  const std::size_t body_length = record.size() - kRecordHeaderBytes;
  assert(body_length <= kMaxWriteBytes);
  const std::string_view body =
      std::string_view(record).substr(kRecordHeaderBytes);
  put_at(&record, 4, static_cast<std::uint32_t>(body_length));
  put_at(&record, 16, static_cast<std::uint32_t>(type));
  put_at(&record, 20, crc32c(body));
  record.resize(kRecordHeaderBytes + padded_to_alignment(body_length));
  return record;
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

Result<RecordBody> decode_upsert_body(std::string_view body,
                                      std::size_t dimension, Metric metric) {
  ByteReader reader(body);
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
    decoded.points.push_back(
        {id, vector,
         payload.empty() ? Payload() : Payload::from_checked_json(payload)});
  }
  if (reader.left() != 0) return bad_body("is too long for its count");
  return RecordBody(std::move(decoded));
}

Result<RecordBody> decode_remove_body(std::string_view body) {
  ByteReader reader(body);
  const auto count = reader.get<std::uint32_t>();
  if (reader.left() != count * kIdBytes) {
    return bad_body("does not fit its count");
  }
  RemoveBody decoded;
  decoded.ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    decoded.ids.push_back(get_id(&reader));
  }
  return RecordBody(std::move(decoded));
}

}  // namespace

std::string encode_log_header(std::uint64_t first_sequence) {
  std::string bytes(kLogMagic);
  put<std::uint32_t>(&bytes, kLogVersion);
  put<std::uint32_t>(&bytes, 0);
  put<std::uint64_t>(&bytes, first_sequence);
  put<std::uint32_t>(&bytes, 0);
  put<std::uint32_t>(&bytes, crc32c(bytes));
  return bytes;
}

Result<std::uint64_t> decode_log_header(std::string_view bytes) {
  if (bytes.size() < kLogHeaderBytes || !bytes.starts_with(kLogMagic)) {
    return Status::data_loss("not a log");
  }
  ByteReader reader(bytes.substr(kLogMagic.size(), kLogHeaderBytes));
  const auto version = reader.get<std::uint32_t>();
  if (version != kLogVersion) {
    return Status::invalid_argument(
        "log of version " + std::to_string(version) +
        ", this program reads version " + std::to_string(kLogVersion));
  }
  reader.get<std::uint32_t>();
  const auto first_sequence = reader.get<std::uint64_t>();
  reader.get<std::uint32_t>();
  const auto crc = reader.get<std::uint32_t>();
  if (crc != crc32c(bytes.substr(0, kLogHeaderBytes - 4))) {
    return Status::data_loss("log header's checksum does not hold");
  }
  return first_sequence;
}

std::size_t upsert_record_bytes(std::span<const Point> points,
                                std::size_t dimension) {
  return kRecordHeaderBytes +
         padded_to_alignment(upsert_body_bytes(points, dimension));
}

std::string encode_upsert_record(std::span<const Point> points,
                                 std::size_t dimension) {
  std::string record = begin_record(upsert_body_bytes(points, dimension));
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(points.size()));
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(dimension));
  for (const Point& point : points) {
    const std::string_view payload =
        point.payload.empty() ? std::string_view() : point.payload.json();
    put_id(&record, point.id);
    put<std::uint32_t>(&record, static_cast<std::uint32_t>(payload.size()));
    record.append(reinterpret_cast<const char*>(point.vector.data()),
                  dimension * sizeof(float));
    record.append(payload);
  }
  return end_record(std::move(record), RecordType::upsert);
}

std::string encode_remove_record(std::span<const PointId> ids) {
  std::string record = begin_record(4 + ids.size() * kIdBytes);
  put<std::uint32_t>(&record, static_cast<std::uint32_t>(ids.size()));
  for (const PointId& id : ids) put_id(&record, id);
  return end_record(std::move(record), RecordType::remove);
}

void seal_record(std::string* record, std::uint64_t sequence) {
  put_at(record, kSequenceOffset, sequence);
  put_at(record, 0,
         crc32c(std::string_view(*record).substr(4, kRecordHeaderBytes - 4)));
}

std::size_t RecordHeader::record_bytes() const {
  return kRecordHeaderBytes + padded_to_alignment(body_length);
}

bool decode_record_header(std::string_view bytes, RecordHeader* header) {
  if (bytes.size() < kRecordHeaderBytes) return false;
  ByteReader reader(bytes.substr(0, kRecordHeaderBytes));
  const auto crc = reader.get<std::uint32_t>();
  if (crc != crc32c(bytes.substr(4, kRecordHeaderBytes - 4))) return false;
  header->body_length = reader.get<std::uint32_t>();
  header->sequence = reader.get<std::uint64_t>();
  header->type = static_cast<RecordType>(reader.get<std::uint32_t>());
  header->body_crc = reader.get<std::uint32_t>();
  return header->sequence != 0 && header->body_length <= kMaxWriteBytes;
}

bool body_matches(const RecordHeader& header, std::string_view body) {
  return body.size() == header.body_length && crc32c(body) == header.body_crc;
}

Result<RecordBody> decode_record_body(RecordType type, std::string_view body,
                                      std::size_t dimension, Metric metric) {
  switch (type) {
    case RecordType::upsert:
      return decode_upsert_body(body, dimension, metric);
    case RecordType::remove:
      return decode_remove_body(body);
  }
  return bad_body("is of unknown type " +
                  std::to_string(static_cast<std::uint32_t>(type)));
}

}  // namespace lamina::storage
