#include "io/jsonl_points.h"

#include <utility>

#include "io/json_line.h"

namespace lamina::io {
namespace {

class JsonlPoints : public PointReader {
 public:
  explicit JsonlPoints(InputFile file) : lines_(std::move(file)) {}

  // Reads the first point for its dimension.
  Status open() {
    PointBatch first;
    const Status read = this->read(1, &first);
    dimension_ = first.dimension;
    rewind();
    return read;
  }

  std::size_t dimension() const override { return dimension_; }
  std::optional<std::uint64_t> row_count() const override {
    return std::nullopt;
  }

  Status read(std::size_t most, PointBatch* batch) override {
    *batch = {};
    batch->dimension = dimension_;
    std::size_t bytes = 0;
    while (batch->size() < most && bytes < kMaxPointBatchBytes) {
      const Result<std::optional<std::string_view>> line = lines_.next();
      if (!line.ok()) return line.status();
      if (!line->has_value()) return {};
      bytes += (*line)->size();
      const Status added = add(**line, batch);
      if (!added.ok()) {
        return Status::invalid_argument(lines_.where() + ": " +
                                        added.message());
      }
    }
    return {};
  }

  Status skip(std::uint64_t rows) override { return skip_lines(rows, lines_); }
  void rewind() override { lines_.rewind(); }
  std::string where(std::uint64_t row) const override {
    return lines_.where(row + 1);
  }
  double share_done() const override { return lines_.share_done(); }

 private:
  static Status add(std::string_view text, PointBatch* batch) {
    const std::size_t start = batch->values.size();
    Result<JsonLine> line = read_json_line(text, &batch->values);
    if (!line.ok()) return line.status();
    if (!line->id.has_value()) return Status::invalid_argument("id is missing");
    if (!line->has_vector) {
      return Status::invalid_argument("vector is missing");
    }
    const std::size_t dimension = batch->values.size() - start;
    if (batch->dimension == 0) batch->dimension = dimension;
    if (dimension == 0 || dimension != batch->dimension) {
      return Status::invalid_argument(
          "vector has " + std::to_string(dimension) + " values, expected " +
          (batch->dimension == 0
               ? "1 or more"
               : std::to_string(batch->dimension) + " as in the first line"));
    }
    batch->ids.push_back(*line->id);
    batch->payloads.push_back(std::move(line->payload));
    return {};
  }

  LineReader lines_;
  std::size_t dimension_ = 0;
};

}  // namespace

Result<std::unique_ptr<PointReader>> open_jsonl(InputFile file) {
  auto points = std::make_unique<JsonlPoints>(std::move(file));
  const Status opened = points->open();
  if (!opened.ok()) return opened;
  return std::unique_ptr<PointReader>(std::move(points));
}

}  // namespace lamina::io
