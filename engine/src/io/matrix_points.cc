#include "io/matrix_points.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "lamina/limits.h"

namespace lamina::io {
namespace {

class MatrixPoints : public PointReader {
 public:
  explicit MatrixPoints(MatrixFile source)
      : source_(std::move(source)),
        head_bytes_(layout().has_row_heads ? sizeof(std::int32_t) : 0),
        row_bytes_(head_bytes_ +
                   layout().columns * element_bytes(layout().element)) {}

  std::size_t dimension() const override { return layout().columns; }
  std::optional<Metric> metric() const override { return source_.metric; }
  std::optional<std::uint64_t> row_count() const override {
    return layout().rows;
  }

  Status read(std::size_t most, PointBatch* batch) override;
  Status skip(std::uint64_t rows) override;
  void rewind() override;

  std::string where(std::uint64_t row) const override {
    return source_.file.name() + ": row " + std::to_string(row);
  }
  double share_done() const override {
    if (layout().rows == 0) return 1.0;
    return static_cast<double>(next_row_) / static_cast<double>(layout().rows);
  }

 private:
  const MatrixLayout& layout() const { return source_.layout; }
  std::size_t next_count(std::size_t most) const;
  Status read_values(std::size_t count, std::vector<float>* values);
  Status read_row(const char* bytes, std::uint64_t row, float* values) const;
  Status read_ids(std::size_t count, std::vector<PointId>* ids);
  Status take_lines(std::vector<JsonLine> lines, PointBatch* batch) const;
  Status finish_columns();

  MatrixFile source_;
  std::size_t head_bytes_;
  std::size_t row_bytes_;
  std::uint64_t next_row_ = 0;
  std::vector<char> bytes_;
};

std::size_t MatrixPoints::next_count(std::size_t most) const {
  const std::size_t fitting = std::max<std::size_t>(
      1, kMaxPointBatchBytes / (sizeof(float) * layout().columns));
  return static_cast<std::size_t>(std::min<std::uint64_t>(
      std::min(most, fitting), layout().rows - next_row_));
}

Status MatrixPoints::read(std::size_t most, PointBatch* batch) {
  *batch = {.dimension = layout().columns, .ids{}, .values{}, .payloads{}};
  if (next_row_ == layout().rows) return finish_columns();
  std::size_t count = next_count(most);
  std::vector<JsonLine> lines;
  Status read;
  if (source_.payloads != nullptr) {  // First: long payloads shorten a batch.
    read = source_.payloads->read(count, &lines);
    count = lines.size();
  }
  if (read.ok()) read = read_values(count, &batch->values);
  if (read.ok()) read = read_ids(count, &batch->ids);
  if (read.ok()) read = take_lines(std::move(lines), batch);
  if (!read.ok()) return read;
  batch->payloads.resize(count);
  next_row_ += count;
  return {};
}

// An id in a line is the point's when the file has none, and must else agree.
Status MatrixPoints::take_lines(std::vector<JsonLine> lines,
                                PointBatch* batch) const {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    PointId& id = batch->ids[i];
    const PointId named = lines[i].id.value_or(id);
    if (source_.ids != nullptr && named != id) {
      return Status::invalid_argument(source_.payloads->where(next_row_ + i) +
                                      ": id is " + named.to_string() +
                                      ", the row's is " + id.to_string());
    }
    id = named;
    batch->payloads.push_back(std::move(lines[i].payload));
  }
  return {};
}

Status MatrixPoints::read_values(std::size_t count,
                                 std::vector<float>* values) {
  bytes_.resize(count * row_bytes_);
  const Status read = source_.file.read_at(
      layout().begin + next_row_ * row_bytes_, bytes_.data(), bytes_.size());
  if (!read.ok()) return read;
  values->resize(count * layout().columns);
  for (std::size_t i = 0; i < count; ++i) {
    const Status row = read_row(bytes_.data() + i * row_bytes_, next_row_ + i,
                                values->data() + i * layout().columns);
    if (!row.ok()) return row;
  }
  return {};
}

Status MatrixPoints::read_row(const char* bytes, std::uint64_t row,
                              float* values) const {
  if (layout().has_row_heads) {
    std::int32_t columns = 0;
    std::memcpy(&columns, bytes, sizeof columns);
    if (columns != static_cast<std::int32_t>(layout().columns)) {
      return Status::invalid_argument(
          where(row) + " at byte " +
          std::to_string(layout().begin + row * row_bytes_) + " says " +
          std::to_string(columns) + " values, the first row has " +
          std::to_string(layout().columns));
    }
  }
  const Status read = read_elements(layout().element, bytes + head_bytes_,
                                    layout().columns, values);
  if (read.ok()) return {};
  return Status::invalid_argument(where(row) + ": " + read.message());
}

Status MatrixPoints::read_ids(std::size_t count, std::vector<PointId>* ids) {
  if (source_.ids != nullptr) return source_.ids->read(count, ids);
  for (std::size_t i = 0; i < count; ++i) ids->emplace_back(next_row_ + i);
  return {};
}

Status MatrixPoints::skip(std::uint64_t rows) {
  if (rows > layout().rows - next_row_) {
    return source_.file.invalid("has " + std::to_string(layout().rows) +
                                " rows, fewer than are to be passed over");
  }
  next_row_ += rows;
  Status skipped;
  if (source_.ids != nullptr) skipped = source_.ids->skip(rows);
  if (skipped.ok() && source_.payloads != nullptr) {
    skipped = source_.payloads->skip(rows);
  }
  return skipped;
}

void MatrixPoints::rewind() {
  next_row_ = 0;
  if (source_.ids != nullptr) source_.ids->rewind();
  if (source_.payloads != nullptr) source_.payloads->rewind();
}

// The columns must end with the matrix.
Status MatrixPoints::finish_columns() {
  Status finished;
  if (source_.ids != nullptr) finished = source_.ids->finish();
  if (finished.ok() && source_.payloads != nullptr) {
    finished = source_.payloads->finish();
  }
  return finished;
}

}  // namespace

Status check_columns(const InputFile& file, std::uint64_t columns) {
  if (columns >= 1 && columns <= kMaxDimension) return {};
  return file.invalid("vectors of " + std::to_string(columns) +
                      " values, must have 1 to " +
                      std::to_string(kMaxDimension));
}

std::unique_ptr<PointReader> make_matrix_points(MatrixFile file) {
  return std::make_unique<MatrixPoints>(std::move(file));
}

}  // namespace lamina::io
