#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/payload.h"
#include "lamina/point_id.h"
#include "lamina/result.h"

namespace lamina::io {

// Files that hold points or vectors. docs/tool.md says what each can hold.
enum class Format { jsonl, safetensors, npy, fvecs, bvecs, ivecs, faiss };

std::string_view to_string(Format format);

//   invalid_argument: no such format; lists them.
Result<Format> parse_format(std::string_view name);

// By the end of a file's name: ".jsonl", ...
//   invalid_argument: the name does not tell.
Result<Format> format_of(const std::filesystem::path& path);

// Points in memory, row after row.
struct PointBatch {
  std::size_t dimension = 0;
  std::vector<PointId> ids;
  std::vector<float> values;  // dimension * ids.size()
  std::vector<Payload> payloads;

  std::size_t size() const { return ids.size(); }
  VectorView vector(std::size_t row) const {
    return VectorView(values).subspan(row * dimension, dimension);
  }
};

// A batch ends early when its values, or the text of its lines, take as much.
inline constexpr std::size_t kMaxPointBatchBytes = 64u << 20;

// The points of a file in its order, a batch at a time, so that memory is taken
// for a batch and not for the file.
//
// Thread safety: one thread at a time.
class PointReader {
 public:
  virtual ~PointReader() = default;

  // Values in each vector; 0 when the file has no point to tell it from.
  virtual std::size_t dimension() const = 0;
  // What scores are compared by, when the file says so.
  virtual std::optional<Metric> metric() const { return std::nullopt; }
  // Points in the file, when its head says how many.
  virtual std::optional<std::uint64_t> row_count() const = 0;

  // Replaces `batch` by the next points, `most` or fewer; by none at the end.
  //   invalid_argument: names file, row or line, and what is wrong.
  virtual Status read(std::size_t most, PointBatch* batch) = 0;
  // Goes past the next `rows` points without looking into them.
  virtual Status skip(std::uint64_t rows) = 0;
  // Goes back to the first point.
  virtual void rewind() = 0;

  // "name: row 17" or "name: line 18", for messages about the point behind
  // which `row` others are.
  virtual std::string where(std::uint64_t row) const = 0;
  // How much of the file is behind us, 0 to 1.
  virtual double share_done() const = 0;
};

struct SourceFiles {
  std::filesystem::path points;
  Format format = Format::jsonl;
  // For formats without them. One id a row: .npy of integers, or text of one id
  // a line. When neither this nor `payload` has ids, they are 0, 1, ...
  std::optional<std::filesystem::path> ids{};
  // One line a row: {"id": ..., "payload": {...}}, the id optional. An id that
  // contradicts the row's is an error.
  std::optional<std::filesystem::path> payload{};
};

// Reads the heads of the files.
//   not_found, io_error: a file cannot be opened or read.
//   invalid_argument: not of that format, lengths that do not agree, or a
//   companion file beside a format that needs none.
Result<std::unique_ptr<PointReader>> open_points(const SourceFiles& files);

}  // namespace lamina::io
