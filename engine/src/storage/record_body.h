#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lamina/options.h"
#include "lamina/payload_edit.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "storage/log_format.h"

// What the records of a log say, as docs/file-format.md specifies it. Encoders
// return whole records that seal_record() has still to number.
namespace lamina::storage {

struct UpsertBody {
  std::vector<float> values;  // Storage that the points view into.
  std::vector<Point> points;
};
struct RemoveBody {
  std::vector<PointId> ids;
};
struct EditPayloadBody {
  PayloadEdit edit;
  std::vector<PointId> ids;
};
struct CreateIndexBody {
  std::string key;
  PayloadIndexType type = PayloadIndexType::keyword;
};
struct DropIndexBody {
  std::string key;
};
// Rows as they are, each with the number of the write that made it so.
struct RowsBody {
  UpsertBody rows;
  std::vector<std::uint64_t> versions;
};
using RecordBody = std::variant<UpsertBody, RemoveBody, EditPayloadBody,
                                CreateIndexBody, DropIndexBody, RowsBody>;

std::string encode_upsert_record(std::span<const Point> points,
                                 std::size_t dimension);
std::string encode_remove_record(std::span<const PointId> ids);
std::string encode_edit_payload_record(const PayloadEdit& edit,
                                       std::span<const PointId> ids);
std::string encode_create_index_record(std::string_view key,
                                       PayloadIndexType type);
std::string encode_drop_index_record(std::string_view key);
std::string encode_rows_record(std::span<const Point> points,
                               std::span<const std::uint64_t> versions,
                               std::size_t dimension);

// Bytes that encode_upsert_record() would make.
std::size_t upsert_record_bytes(std::span<const Point> points,
                                std::size_t dimension);

// Bytes of a point in encode_rows_record(), but for its payload.
std::size_t row_bytes(std::size_t dimension);

// Reads a body whose checksum holds. Still checks everything: a log may have
// been written by a faulty program.
//   data_loss: the body is not what its type says.
Result<RecordBody> decode_record_body(RecordType type, std::string_view body,
                                      std::size_t dimension, Metric metric);

}  // namespace lamina::storage
