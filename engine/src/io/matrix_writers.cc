// Formats of one row of numbers a point.
#include <string>

#include "io/npy_header.h"
#include "io/writers.h"

namespace lamina::io {
namespace {

class FvecsWriter : public PointWriter {
 public:
  explicit FvecsWriter(Sink* sink) : out_(sink) {}

  Status add(std::span<const Record> points) override {
    for (const Record& point : points) {
      const auto columns = static_cast<std::int32_t>(point.vector->size());
      Status added = out_.append_value(columns);
      if (added.ok()) added = out_.append(bytes_of(*point.vector));
      if (!added.ok()) return added;
    }
    return {};
  }
  Status finish() override { return out_.flush(); }

 private:
  SinkStream out_;
};

class NpyWriter : public PointWriter {
 public:
  enum class Part { vectors, ids };
  NpyWriter(Part part, const Contents& contents, Sink* sink)
      : part_(part), header_(header_of(part, contents)), out_(sink) {}

  Status add(std::span<const Record> points) override {
    Status added = write_header();
    for (const Record& point : points) {
      if (!added.ok()) return added;
      added = part_ == Part::ids ? out_.append_value(point.id.number())
                                 : out_.append(bytes_of(*point.vector));
    }
    return added;
  }

  Status finish() override {
    const Status written = write_header();
    return written.ok() ? out_.flush() : written;
  }

 private:
  static std::string header_of(Part part, const Contents& contents) {
    const std::string rows = std::to_string(contents.point_count);
    if (part == Part::ids) return npy_header_text("<u8", "(" + rows + ",)");
    return npy_header_text(
        "<f4", "(" + rows + ", " + std::to_string(contents.dimension) + ")");
  }

  Status write_header() {
    const Status written = out_.append(header_);
    header_.clear();
    return written;
  }

  Part part_;
  std::string header_;  // Empty once it is written.
  SinkStream out_;
};

}  // namespace

std::unique_ptr<PointWriter> make_npy_writer(const Contents& contents,
                                             Sink* sink) {
  return std::make_unique<NpyWriter>(NpyWriter::Part::vectors, contents, sink);
}

std::unique_ptr<PointWriter> make_fvecs_writer(Sink* sink) {
  return std::make_unique<FvecsWriter>(sink);
}

Result<std::unique_ptr<PointWriter>> make_npy_id_writer(
    const Contents& contents, Sink* sink) {
  if (contents.uuid_count > 0) {
    return Status::invalid_argument(
        std::to_string(contents.uuid_count) +
        " ids are UUIDs, which .npy cannot hold; give the file of ids another "
        "name for text");
  }
  return std::unique_ptr<PointWriter>(
      std::make_unique<NpyWriter>(NpyWriter::Part::ids, contents, sink));
}

}  // namespace lamina::io
