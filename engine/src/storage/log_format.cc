#include "storage/log_format.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "lamina/limits.h"
#include "storage/bytes.h"
#include "storage/crc32c.h"

namespace lamina::storage {
namespace {

constexpr std::string_view kLogMagic = "LAMINALG";
constexpr std::size_t kSequenceOffset = 8;
constexpr std::size_t kTypeOffset = 16;

// How many records before one were not known to be on the disk shares a number
// with its type. As many as the field holds may stand for more.
constexpr unsigned kTypeBits = 8;
constexpr std::uint64_t kMostUnsynced = 0xffffff;

constexpr std::size_t padded_to_alignment(std::size_t bytes) {
  return (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
}

}  // namespace

std::string encode_log_header(std::uint64_t first_sequence,
                              std::uint64_t durable_sequence) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t synced_records =
      std::min(durable_sequence - (first_sequence - 1), kMost);
  std::string bytes(kLogMagic);
  put<std::uint32_t>(&bytes, kLogVersion);
  put(&bytes, static_cast<std::uint32_t>(synced_records));
  put<std::uint64_t>(&bytes, first_sequence);
  put<std::uint32_t>(&bytes, 0);
  put<std::uint32_t>(&bytes, crc32c(bytes));
  return bytes;
}

Result<LogHeader> decode_log_header(std::string_view bytes) {
  if (bytes.size() < kLogHeaderBytes || !bytes.starts_with(kLogMagic)) {
    return Status::data_loss("not a log");
  }
  ByteReader reader(bytes.substr(kLogMagic.size(), kLogHeaderBytes));
  LogHeader header;
  header.version = reader.get<std::uint32_t>();
  if (header.version < kOldestLogVersion || header.version > kLogVersion) {
    return Status::invalid_argument(
        "log of version " + std::to_string(header.version) +
        ", this program reads versions " + std::to_string(kOldestLogVersion) +
        " to " + std::to_string(kLogVersion));
  }
  const auto synced_records = reader.get<std::uint32_t>();
  header.first_sequence = reader.get<std::uint64_t>();
  header.durable_sequence = header.first_sequence - 1 + synced_records;
  reader.get<std::uint32_t>();
  const auto crc = reader.get<std::uint32_t>();
  if (crc != crc32c(bytes.substr(0, kLogHeaderBytes - 4))) {
    return Status::data_loss("log header's checksum does not hold");
  }
  return header;
}

// The header's place is left open: seal_record() fills it.
std::string begin_record(std::size_t body_bytes) {
  std::string record;
  record.reserve(record_bytes(body_bytes));
  record.resize(kRecordHeaderBytes);
  return record;
}

std::string end_record(std::string record, RecordType type) {
  const std::size_t body_length = record.size() - kRecordHeaderBytes;
  assert(body_length <= kMaxWriteBytes);
  const std::string_view body =
      std::string_view(record).substr(kRecordHeaderBytes);
  put_at(&record, 4, static_cast<std::uint32_t>(body_length));
  put_at(&record, kTypeOffset, static_cast<std::uint32_t>(type));
  put_at(&record, 20, crc32c(body));
  record.resize(record_bytes(body_length));
  return record;
}

void seal_record(std::string* record, std::uint64_t sequence,
                 std::uint64_t durable_sequence) {
  assert(durable_sequence < sequence);
  const std::uint64_t unsynced =
      std::min(sequence - 1 - durable_sequence, kMostUnsynced);
  const auto type = static_cast<std::uint8_t>((*record)[kTypeOffset]);
  put_at(record, kSequenceOffset, sequence);
  put_at(record, kTypeOffset,
         static_cast<std::uint32_t>(unsynced << kTypeBits | type));
  put_at(record, 0,
         crc32c(std::string_view(*record).substr(4, kRecordHeaderBytes - 4)));
}

std::size_t record_bytes(std::size_t body_bytes) {
  return kRecordHeaderBytes + padded_to_alignment(body_bytes);
}

bool decode_record_header(std::string_view bytes, RecordHeader* header) {
  if (bytes.size() < kRecordHeaderBytes) return false;
  ByteReader reader(bytes.substr(0, kRecordHeaderBytes));
  const auto crc = reader.get<std::uint32_t>();
  if (crc != crc32c(bytes.substr(4, kRecordHeaderBytes - 4))) return false;
  header->body_length = reader.get<std::uint32_t>();
  header->sequence = reader.get<std::uint64_t>();
  const auto type = reader.get<std::uint32_t>();
  header->type = static_cast<RecordType>(type & 0xff);
  header->body_crc = reader.get<std::uint32_t>();
  const std::uint64_t unsynced = type >> kTypeBits;
  const bool is_known = unsynced < kMostUnsynced && unsynced < header->sequence;
  header->durable_sequence = is_known ? header->sequence - 1 - unsynced : 0;
  return header->sequence != 0 && header->body_length <= kMaxWriteBytes;
}

bool body_matches(const RecordHeader& header, std::string_view body) {
  return body.size() == header.body_length && crc32c(body) == header.body_crc;
}

}  // namespace lamina::storage
