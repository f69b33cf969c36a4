#include "protocol/point_fields.h"

#include <algorithm>

#include "protocol/base64.h"

namespace lamina::protocol {
namespace {

bool has_member(const JsonValue& object, std::string_view key) {
  const std::vector<JsonValue::Member> members = object.members();
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& member) { return member.key == key; });
}

bool holds_arrays(const JsonValue& array) {
  return array.depth() > 1;  // An array of numbers has depth 1.
}

// {"f32": base64}, or {"": vector}: the only vector that there is, by its name.
Status read_vector_object(const JsonValue& value, std::string_view path,
                          std::vector<float>* values) {
  if (has_member(value, "indices")) return unsupported(path, "sparse vectors");
  if (value.size() != 1) return unsupported(path, "named vectors");
  if (const std::optional<JsonValue> base64 = value.find("f32")) {
    const std::string where = std::string(path) + ".f32";
    const Result<std::string_view> text = base64->as_string(where);
    if (!text.ok()) return text.status();
    return read_base64_floats(*text, where, values);
  }
  const std::optional<JsonValue> unnamed = value.find("");
  const bool is_vector =
      unnamed.has_value() && unnamed->kind() != JsonKind::object;
  if (!is_vector) return unsupported(path, "named vectors");
  return read_vector(*unnamed, path, values);
}

}  // namespace

Status no_vector_named(std::string_view name) {
  return Status::invalid_argument("Not existing vector name error: " +
                                  std::string(name.substr(0, 64)));
}

Status read_vector(const JsonValue& value, std::string_view path,
                   std::vector<float>* values) {
  if (value.kind() == JsonKind::object) {
    return read_vector_object(value, path, values);
  }
  if (value.kind() == JsonKind::string) {
    return read_base64_floats(value.string(), path, values);
  }
  if (value.kind() == JsonKind::array && holds_arrays(value)) {
    return unsupported(path, "multi vectors");
  }
  return value.read_floats(path, values);
}

Result<Payload> read_payload(const JsonValue& value, std::string_view path) {
  const std::string where(path);
  if (value.kind() != JsonKind::object) {
    return Status::invalid_argument(where + ": expected an object, got " +
                                    std::string(value.kind_name()));
  }
  if (value.depth() > kMaxJsonDepth) {
    return Status::invalid_argument(where + ": nested deeper than " +
                                    std::to_string(kMaxJsonDepth) + " levels");
  }
  const std::string text = value.compact_text();
  if (text.size() > kMaxPayloadBytes) {
    return Status::invalid_argument(
        where + ": " + std::to_string(text.size()) + " bytes, at most " +
        std::to_string(kMaxPayloadBytes) + " are allowed");
  }
  return Payload::from_checked_json(text);
}

Result<PointId> read_point_id(const JsonValue& value, std::string_view path) {
  return value.as_point_id(path);
}

void read_with_payload(ObjectReader* object, PayloadSelector* selector) {
  const JsonValue* value = object->find("with_payload");
  if (value == nullptr || !object->ok()) return;
  Result<PayloadSelector> read =
      read_payload_selector(*value, object->path_of("with_payload"));
  if (!read.ok()) return object->fail(read.status());
  *selector = *std::move(read);
}

void read_with_vector(ObjectReader* object, bool* with_vector) {
  for (const std::string_view name : {"with_vector", "with_vectors"}) {
    const JsonValue* value = object->find(name);
    if (value != nullptr && value->kind() == JsonKind::array) {
      object->fail(unsupported(object->path_of(name), "named vectors"));
    }
    object->read(name, with_vector);
  }
}

void read_parts(ObjectReader* object, std::optional<std::vector<float>>* vector,
                std::optional<Payload>* payload) {
  if (const JsonValue* value = object->find("vector"); value != nullptr) {
    object->fail(
        read_vector(*value, object->path_of("vector"), &vector->emplace()));
  }
  if (const JsonValue* value = object->find("payload"); value != nullptr) {
    Result<Payload> read = read_payload(*value, object->path_of("payload"));
    if (!read.ok()) return object->fail(read.status());
    *payload = *std::move(read);
  }
}

void write_parts(const std::optional<std::vector<float>>& vector,
                 const std::optional<Payload>& payload,
                 const PayloadSelector& selector, JsonWriter* json) {
  if (payload.has_value() && selector.enabled) {
    json->key("payload").raw(selector.apply(*payload).json());
  }
  if (vector.has_value()) json->key("vector").vector(*vector);
}

}  // namespace lamina::protocol
