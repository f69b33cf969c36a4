#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lamina/result.h"

// How records lie in a log, as docs/file-format.md specifies it; what is in
// them is in record_body.h. Knows no file.
//
//   log    = header record*
//   header = magic[8] version:u32 synced_records:u32 first_sequence:u64 0:u32
//            crc:u32
//   record = header_crc:u32 body_length:u32 sequence:u64 type:u8 unsynced:u24
//            body_crc:u32 body padding-to-8
namespace lamina::storage {

// What is written. Older versions are read as well: they have fewer types of
// records, and before version 3 every record says that all before it is synced.
inline constexpr std::uint32_t kLogVersion = 3;
inline constexpr std::uint32_t kOldestLogVersion = 1;
inline constexpr std::size_t kLogHeaderBytes = 32;
inline constexpr std::size_t kRecordHeaderBytes = 24;
inline constexpr std::size_t kRecordAlignment = 8;

enum class RecordType : std::uint32_t {
  upsert = 1,
  remove = 2,
  edit_payload = 3,
  create_index = 4,
  drop_index = 5,
  rows = 6  // In snapshots only.
};

struct LogHeader {
  std::uint32_t version = kLogVersion;
  std::uint64_t first_sequence = 1;
  // Of the last record that was known to be on the disk when this was written,
  // or less; below the first when none was.
  std::uint64_t durable_sequence = 0;
};

std::string encode_log_header(std::uint64_t first_sequence,
                              std::uint64_t durable_sequence);

//   data_loss: not a log, or its header is damaged.
//   invalid_argument: a version that this program does not know.
Result<LogHeader> decode_log_header(std::string_view bytes);

// A record is begun, its body appended, and ended: then it is whole and padded.
// What is known only when the write's turn has come is put in by seal_record():
// the record's number, and the highest that is known to be on the disk.
std::string begin_record(std::size_t body_bytes);
std::string end_record(std::string record, RecordType type);
void seal_record(std::string* record, std::uint64_t sequence,
                 std::uint64_t durable_sequence);

// With its header and padding.
std::size_t record_bytes(std::size_t body_bytes);

struct RecordHeader {
  std::uint32_t body_length = 0;
  std::uint64_t sequence = 0;
  RecordType type = RecordType::upsert;
  std::uint32_t body_crc = 0;
  // Of the last record that was known to be on the disk when this was written,
  // or less.
  std::uint64_t durable_sequence = 0;
};

// False when the checksum does not hold or the length is beyond kMaxWriteBytes:
// then nothing in it is to be believed.
bool decode_record_header(std::string_view bytes, RecordHeader* header);

bool body_matches(const RecordHeader& header, std::string_view body);

}  // namespace lamina::storage
