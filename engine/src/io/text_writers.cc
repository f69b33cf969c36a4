// Formats of one line a point.
#include <string>

#include "io/writers.h"
#include "types/json_writer.h"

namespace lamina::io {
namespace {

// Writes each point as the line that `Line` makes of it.
template <std::string (*Line)(const Record&)>
class LineWriter : public PointWriter {
 public:
  explicit LineWriter(Sink* sink) : out_(sink) {}

  Status add(std::span<const Record> points) override {
    for (const Record& point : points) {
      const Status added = out_.append(Line(point) + '\n');
      if (!added.ok()) return added;
    }
    return {};
  }
  Status finish() override { return out_.flush(); }

 private:
  SinkStream out_;
};

// With `vector` between id and payload when there is one.
std::string json_line(const Record& point, const std::vector<float>* vector) {
  JsonWriter json;
  json.begin_object().key("id").point_id(point.id);
  if (vector != nullptr) json.key("vector").vector(*vector);
  if (!point.payload->empty()) json.key("payload").raw(point.payload->json());
  return json.end_object().take();
}

std::string point_line(const Record& point) {
  return json_line(point, &*point.vector);
}

std::string payload_line(const Record& point) {
  return json_line(point, nullptr);
}

std::string id_line(const Record& point) { return point.id.to_string(); }

}  // namespace

std::unique_ptr<PointWriter> make_jsonl_writer(Sink* sink) {
  return std::make_unique<LineWriter<point_line>>(sink);
}

std::unique_ptr<PointWriter> make_payload_writer(Sink* sink) {
  return std::make_unique<LineWriter<payload_line>>(sink);
}

std::unique_ptr<PointWriter> make_text_id_writer(Sink* sink) {
  return std::make_unique<LineWriter<id_line>>(sink);
}

}  // namespace lamina::io
