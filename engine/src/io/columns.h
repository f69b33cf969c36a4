#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/json_line.h"
#include "io/line_reader.h"
#include "lamina/point_id.h"

// What stands beside the rows of a matrix: an id or a payload for each.
namespace lamina::io {

// Thread safety: one thread at a time.
class IdColumn {
 public:
  virtual ~IdColumn() = default;
  // Ids in the column, when it is known ahead.
  virtual std::optional<std::uint64_t> row_count() const = 0;
  // Appends the next `count` ids.
  //   invalid_argument: no id, or fewer are left.
  virtual Status read(std::size_t count, std::vector<PointId>* ids) = 0;
  virtual Status skip(std::uint64_t count) = 0;
  virtual void rewind() = 0;
  // Error unless all were read.
  virtual Status finish() = 0;
};

// Integers as they lie in a file, then UUIDs of 16 bytes.
struct RawIdLayout {
  std::uint64_t numbers_begin = 0;
  std::uint64_t number_count = 0;
  std::size_t number_bytes = 8;  // 4 or 8
  bool is_signed = false;        // Then a negative one is an error.
  std::uint64_t uuids_begin = 0;
  std::uint64_t uuid_count = 0;
};

// The layout must lie within the file.
std::unique_ptr<IdColumn> make_raw_ids(InputFile file,
                                       const RawIdLayout& layout);

// A .npy file of integers, or text of one id a line.
Result<std::unique_ptr<IdColumn>> open_ids(const std::filesystem::path& path);

// Payloads, a line each.
//
// Thread safety: one thread at a time.
class PayloadColumn {
 public:
  enum class Line {
    payload,  // The payload itself.
    wrapped,  // {"id": ..., "payload": {...}}, both optional.
  };
  PayloadColumn(LineReader lines, Line line)
      : lines_(std::move(lines)), line_(line) {}

  // Appends the next lines, `most` or fewer: it ends early when their text
  // takes kMaxPointBatchBytes.
  //   invalid_argument: not such a line, or there is none.
  Status read(std::size_t most, std::vector<JsonLine>* lines);
  Status skip(std::uint64_t count);
  void rewind() { lines_.rewind(); }
  // Error unless all were read.
  Status finish();

  // "name: line 18" for the line of row 17.
  std::string where(std::uint64_t row) const { return lines_.where(row + 1); }

 private:
  Result<JsonLine> read_line(std::string_view text) const;

  LineReader lines_;
  Line line_;
};

}  // namespace lamina::io
