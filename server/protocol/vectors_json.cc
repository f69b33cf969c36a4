#include "protocol/vectors_json.h"

#include <utility>

#include "protocol/message.h"
#include "protocol/point_fields.h"
#include "protocol/selector_json.h"

namespace lamina::protocol {
namespace {

Result<std::string> read_vector_name(const JsonValue& value,
                                     std::string_view path) {
  const Result<std::string_view> name = value.as_string(path);
  if (!name.ok()) return name.status();
  if (!name->empty()) return no_vector_named(*name);
  return std::string(*name);
}

}  // namespace

Result<UpdateVectors> decode_update_vectors(std::string_view body) {
  return decode_request(body, read_update_vectors);
}

// The same shape as an upsert's, where payloads and modes have no place.
Result<UpdateVectors> read_update_vectors(const JsonValue& root) {
  ObjectReader object(root, "");
  const JsonValue* points = object.require("points");
  object.find("update_filter");
  object.ignore({"shard_key"});
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  if (points->kind() == JsonKind::array) {
    for (const JsonValue& point : points->elements()) {
      if (point.kind() == JsonKind::object && point.find("payload")) {
        return Status::invalid_argument(
            "points: a change of vectors has no `payload`");
      }
    }
  }
  Result<PointBatch> batch = read_upsert(root);
  if (!batch.ok()) return batch.status();
  return UpdateVectors{*std::move(batch)};
}

Status check_delete_vectors(std::string_view body) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok()) return document.status();
  return check_delete_vectors(document->root());
}

Status check_delete_vectors(const JsonValue& root) {
  ObjectReader object(root, "");
  Selector points;
  read_selector(&object, &points);
  const JsonValue* names = object.require("vector");
  object.ignore({"shard_key"});
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  const Result<std::vector<std::string>> read =
      read_list(*names, "vector", read_vector_name);
  if (!read.ok()) return read.status();
  return unsupported("vector", "points without a vector");
}

}  // namespace lamina::protocol
