#include <limits>
#include <string>

#include "io/faiss_format.h"
#include "io/writers.h"

namespace lamina::io {
namespace {

std::uint32_t metric_number(Metric metric) {
  switch (metric) {
    case Metric::cosine:  // FAISS's own way: inner product of unit vectors.
    case Metric::dot:
      return kFaissInnerProduct;
    case Metric::euclid:
      return kFaissL2;
    case Metric::manhattan:
      return kFaissL1;
  }
  return kFaissInnerProduct;
}

std::string_view flat_letters(std::uint32_t metric) {
  if (metric == kFaissInnerProduct) return kFaissFlatInnerProduct;
  return metric == kFaissL2 ? kFaissFlatL2 : kFaissFlat;
}

template <class T>
void put(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string head_of(std::string_view letters, const Contents& contents) {
  const std::uint32_t metric = metric_number(contents.metric);
  std::string head(letters);
  put(static_cast<std::int32_t>(contents.dimension), &head);
  put(contents.point_count, &head);
  put(kFaissFiller, &head);
  put(kFaissFiller, &head);
  put(std::uint8_t{1}, &head);  // Is trained.
  put(metric, &head);
  if (metric > kFaissL2) put(0.0f, &head);  // The metric's parameter.
  return head;
}

// An IndexIDMap over an IndexFlat.
class FaissWriter : public PointWriter {
 public:
  FaissWriter(const Contents& contents, Sink* sink)
      : head_(whole_head(contents)),
        vectors_(sink),
        ids_(sink, head_.size() + value_count(contents) * sizeof(float)),
        ids_head_(contents.point_count) {}

  Status add(std::span<const Record> points) override {
    Status added = write_heads();
    for (const Record& point : points) {
      if (point.id.number() > std::numeric_limits<std::int64_t>::max()) {
        return Status::invalid_argument(
            "id " + point.id.to_string() +
            " does not fit, FAISS has signed 64-bit ids");
      }
      if (added.ok()) added = vectors_.append(bytes_of(*point.vector));
      if (added.ok()) added = ids_.append_value(point.id.number());
      if (!added.ok()) return added;
    }
    return added;
  }

  Status finish() override {
    Status written = write_heads();
    if (written.ok()) written = vectors_.flush();
    return written.ok() ? ids_.flush() : written;
  }

 private:
  static std::uint64_t value_count(const Contents& contents) {
    return contents.point_count * contents.dimension;
  }

  static std::string whole_head(const Contents& contents) {
    const std::string_view flat = flat_letters(metric_number(contents.metric));
    std::string head = head_of(kFaissIdMap, contents) + head_of(flat, contents);
    put(value_count(contents), &head);
    return head;
  }

  Status write_heads() {
    if (head_.empty()) return {};
    Status written = vectors_.append(head_);
    if (written.ok()) written = ids_.append_value(ids_head_);
    head_.clear();
    return written;
  }

  std::string head_;  // Empty once it is written.
  SinkStream vectors_;
  SinkStream ids_;
  std::uint64_t ids_head_;  // How many there are.
};

}  // namespace

Result<std::unique_ptr<PointWriter>> make_faiss_writer(const Contents& contents,
                                                       Sink* sink) {
  if (contents.uuid_count > 0) {
    return Status::invalid_argument(
        std::to_string(contents.uuid_count) +
        " ids are UUIDs, which FAISS does not have; write jsonl or "
        "safetensors");
  }
  return std::unique_ptr<PointWriter>(
      std::make_unique<FaissWriter>(contents, sink));
}

}  // namespace lamina::io
