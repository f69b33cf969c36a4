#include <initializer_list>
#include <string>

#include "io/safetensors_format.h"
#include "io/writers.h"
#include "types/json_writer.h"
#include "types/safetensors_header.h"

namespace lamina::io {
namespace {

// A constant size, as the header is written last: only then is it known how
// much the payloads take. Spaces fill it, as the format allows.
constexpr std::uint64_t kHeaderBytes = 1024 - sizeof(std::uint64_t);
constexpr std::uint64_t kDataBegin = sizeof(std::uint64_t) + kHeaderBytes;
constexpr std::uint64_t kUuidBytes = 16;

void write_numbers(std::initializer_list<std::uint64_t> numbers,
                   JsonWriter* json) {
  json->begin_array();
  for (const std::uint64_t number : numbers) json->uint64(number);
  json->end_array();
}

class SafetensorsWriter : public PointWriter {
 public:
  // The widest numbers come first, so that each tensor is aligned.
  SafetensorsWriter(const Contents& contents, Sink* sink)
      : contents_(contents),
        sink_(sink),
        numbers_(sink, kDataBegin),
        vectors_(sink, numbers_.end() + number_bytes()),
        uuids_(sink, vectors_.end() + vector_bytes()),
        payloads_(sink, uuids_.end() + contents.uuid_count * kUuidBytes),
        payloads_begin_(payloads_.end()) {}

  Status add(std::span<const Record> points) override {
    for (const Record& point : points) {
      Status added = add_id(point.id);
      if (added.ok()) added = vectors_.append(bytes_of(*point.vector));
      if (added.ok()) {
        added = payloads_.append(std::string(point.payload->json()) + '\n');
      }
      if (!added.ok()) return added;
    }
    return {};
  }

  Status finish() override {
    for (SinkStream* stream : {&numbers_, &vectors_, &uuids_, &payloads_}) {
      const Status flushed = stream->flush();
      if (!flushed.ok()) return flushed;
    }
    std::string head = header();
    head.resize(kHeaderBytes, ' ');
    SinkStream out(sink_);
    Status written = out.append_value(kHeaderBytes);
    if (written.ok()) written = out.append(head);
    return written.ok() ? out.flush() : written;
  }

 private:
  std::uint64_t number_count() const {
    return contents_.point_count - contents_.uuid_count;
  }
  std::uint64_t number_bytes() const {
    return number_count() * sizeof(std::uint64_t);
  }
  std::uint64_t vector_bytes() const {
    return contents_.point_count * contents_.dimension * sizeof(float);
  }

  Status add_id(const PointId& id) {
    if (!id.is_uuid()) return numbers_.append_value(id.number());
    return uuids_.append_value(id.uuid());
  }

  std::string header() const {
    JsonWriter json;
    json.begin_object().key(kSafetensorsMetadata).begin_object();
    json.key(kMetricKey).string(to_string(contents_.metric)).end_object();
    std::uint64_t offset = 0;
    const auto add = [&](std::string_view name, std::string_view dtype,
                         std::initializer_list<std::uint64_t> shape,
                         std::uint64_t bytes) {
      json.key(name).begin_object().key("dtype").string(dtype).key("shape");
      write_numbers(shape, &json);
      json.key("data_offsets");
      write_numbers({offset, offset + bytes}, &json);
      json.end_object();
      offset += bytes;
    };
    add(kIdsName, "U64", {number_count()}, number_bytes());
    add(kVectorsName, "F32", {contents_.point_count, contents_.dimension},
        vector_bytes());
    add(kUuidsName, "U8", {contents_.uuid_count, kUuidBytes},
        contents_.uuid_count * kUuidBytes);
    const std::uint64_t payload_bytes = payloads_.end() - payloads_begin_;
    add(kPayloadsName, "U8", {payload_bytes}, payload_bytes);
    return json.end_object().take();
  }

  Contents contents_;
  Sink* sink_;
  SinkStream numbers_;
  SinkStream vectors_;
  SinkStream uuids_;
  SinkStream payloads_;
  std::uint64_t payloads_begin_;
};

}  // namespace

std::unique_ptr<PointWriter> make_safetensors_writer(const Contents& contents,
                                                     Sink* sink) {
  return std::make_unique<SafetensorsWriter>(contents, sink);
}

}  // namespace lamina::io
