#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lamina/result.h"
#include "lamina/results.h"

// The bytes of a log, as docs/file-format.md specifies them. Knows no file.
//
//   log    = header record*
//   header = magic[8] version:u32 0:u32 first_sequence:u64 0:u32 crc:u32
//   record = header_crc:u32 body_length:u32 sequence:u64 type:u32 body_crc:u32
//            body padding-to-8
namespace lamina::storage {

inline constexpr std::uint32_t kLogVersion = 1;
inline constexpr std::size_t kLogHeaderBytes = 32;
inline constexpr std::size_t kRecordHeaderBytes = 24;
inline constexpr std::size_t kRecordAlignment = 8;

enum class RecordType : std::uint32_t { upsert = 1, remove = 2 };

std::string encode_log_header(std::uint64_t first_sequence);

//   data_loss: not a log, or its header is damaged.
//   invalid_argument: a version that this program does not know.
Result<std::uint64_t> decode_log_header(std::string_view bytes);

// A whole record, padded. The sequence number is put in by seal_record(), as it
// is known only when the write's turn has come.
std::string encode_upsert_record(std::span<const Point> points,
                                 std::size_t dimension);
std::string encode_remove_record(std::span<const PointId> ids);
void seal_record(std::string* record, std::uint64_t sequence);

// Bytes that encode_upsert_record() would make.
std::size_t upsert_record_bytes(std::span<const Point> points,
                                std::size_t dimension);

struct RecordHeader {
  std::uint32_t body_length = 0;
  std::uint64_t sequence = 0;
  RecordType type = RecordType::upsert;
  std::uint32_t body_crc = 0;

  // With its header and padding.
  std::size_t record_bytes() const;
};

// False when the checksum does not hold or the length is beyond kMaxWriteBytes:
// then nothing in it is to be believed.
bool decode_record_header(std::string_view bytes, RecordHeader* header);

bool body_matches(const RecordHeader& header, std::string_view body);

struct UpsertBody {
  std::vector<float> values;  // Storage that the points view into.
  std::vector<Point> points;
};
struct RemoveBody {
  std::vector<PointId> ids;
};
using RecordBody = std::variant<UpsertBody, RemoveBody>;

// Reads a body whose checksum holds. Still checks everything: a log may have
// been written by a faulty program.
//   data_loss: the body is not what its type says.
Result<RecordBody> decode_record_body(RecordType type, std::string_view body,
                                      std::size_t dimension, Metric metric);

}  // namespace lamina::storage
