#include "output.h"

#include <cstdio>

namespace lamina::tool {

Status print_line(const std::string& line) {
  const std::string text = line + '\n';
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
      std::fflush(stdout) == 0) {
    return {};
  }
  return Status::io_error("cannot write to standard output");
}

std::string point_line(const Record& point) {
  JsonWriter json;
  json.begin_object().key("id").point_id(point.id);
  if (point.vector.has_value()) json.key("vector").vector(*point.vector);
  if (point.payload.has_value()) {
    json.key("payload").raw(point.payload->json());
  }
  return json.end_object().take();
}

std::string describe(const CollectionInfo& info) {
  return std::string(to_string(info.metric)) + ", " +
         std::to_string(info.dimension) + " values" +
         (info.hnsw ? ", hnsw" : "");
}

void write_info(const CollectionInfo& info, JsonWriter* json) {
  json->key("name").string(info.name);
  json->key("points").uint64(info.point_count);
  json->key("dimension").uint64(info.dimension);
  json->key("metric").string(to_string(info.metric));
  if (!info.hnsw) return;
  json->key("hnsw").begin_object().key("m").uint64(info.hnsw->m);
  json->key("ef_construct").uint64(info.hnsw->ef_construct);
  json->key("linked").uint64(info.linked_count).end_object();
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

}  // namespace lamina::tool
