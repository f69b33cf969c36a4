#include "protocol/payload_json.h"

#include <utility>
#include <variant>

#include "protocol/index_type.h"
#include "protocol/message.h"
#include "protocol/point_fields.h"
#include "protocol/selector_json.h"
#include "types/filter_number.h"

namespace lamina::protocol {
namespace {

Result<std::string> read_text(const JsonValue& value, std::string_view path) {
  const Result<std::string_view> text = value.as_string(path);
  if (!text.ok()) return text.status();
  return std::string(*text);
}

void read_required_payload(ObjectReader* object, Payload* payload) {
  const JsonValue* value = object->require("payload");
  if (value == nullptr || !object->ok()) return;
  Result<Payload> read = read_payload(*value, object->path_of("payload"));
  if (!read.ok()) return object->fail(read.status());
  *payload = *std::move(read);
}

// What is left of an edit's fields when its own have been read.
Result<EditPayloadRequest> finish_edit(ObjectReader* object, PayloadEdit edit) {
  EditPayloadRequest request;
  request.edit = std::move(edit);
  read_selector(object, &request.points);
  object->ignore({"shard_key"});
  const Status read = object->finish();
  if (!read.ok()) return read;
  return request;
}

Result<PayloadIndexType> read_index_type(const JsonValue& value,
                                         const std::string& path) {
  if (value.kind() != JsonKind::object) {
    const Result<std::string_view> name = value.as_string(path);
    if (!name.ok()) return name.status();
    return index_type_of(*name, path);
  }
  // Its other fields tune an index, and change no answer.
  ObjectReader object(value, path);
  std::string name;
  bool lookup = true;
  bool range = true;
  object.require("type");
  object.read("type", &name);
  object.read("lookup", &lookup);
  object.read("range", &range);
  if (!object.ok()) return object.status();
  if (!lookup && !range) {
    return Status::invalid_field(
        path, "the 'lookup' and 'range' capabilities can't be both disabled");
  }
  return index_type_of(name, object.path_of("type"));
}

Result<CreateIndexRequest> read_create_index(const JsonValue& root) {
  ObjectReader object(root, "");
  CreateIndexRequest request;
  object.require("field_name");
  object.read("field_name", &request.key);
  const JsonValue* schema = object.require("field_schema");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  const Result<PayloadIndexType> type =
      read_index_type(*schema, "field_schema");
  if (!type.ok()) return type.status();
  request.type = *type;
  return request;
}

Result<FacetRequest> read_facet(const JsonValue& root) {
  ObjectReader object(root, "");
  FacetRequest request;
  object.require("key");
  object.read("key", &request.key);
  object.read_count("limit", "limit", 1, &request.options.limit);
  read_filter_field(&object, &request.options.filter);
  bool exact = true;  // It is, either way.
  object.read("exact", &exact);
  object.ignore({"shard_key"});
  const Status read = object.finish();
  if (!read.ok()) return read;
  return request;
}

Result<where::Value> read_value(const JsonValue& value, std::string_view path) {
  if (value.kind() == JsonKind::boolean) return where::Value(value.boolean());
  if (value.kind() == JsonKind::string) {
    return where::Value(std::string(value.string()));
  }
  if (value.kind() == JsonKind::number) {
    const where::Number number = read_json_number(value.number());
    if (const auto* integer = std::get_if<std::int64_t>(&number)) {
      return where::Value(*integer);
    }
  }
  return Status::invalid_argument(
      std::string(path) + ": expected a boolean, an integer or a string");
}

Result<FacetHit> read_facet_hit(const JsonValue& value, std::string_view path) {
  ObjectReader object(value, std::string(path));
  FacetHit hit;
  const JsonValue* counted = object.require("value");
  object.require("count");
  object.read("count", &hit.count);
  if (!object.ok()) return object.status();
  Result<where::Value> read = read_value(*counted, object.path_of("value"));
  if (!read.ok()) return read.status();
  hit.value = *std::move(read);
  return hit;
}

Result<std::vector<FacetHit>> read_facet_hits(const JsonValue& root) {
  ObjectReader result(root, "result");
  const JsonValue* hits = result.require("hits");
  if (hits == nullptr) return result.status();
  return read_list(*hits, "result.hits", read_facet_hit);
}

void write_value(const where::Value& value, JsonWriter* json) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    json->boolean(*flag);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json->raw(std::to_string(*integer));
  } else {
    json->string(std::get<std::string>(value));
  }
}

}  // namespace

std::string encode_edit_payload(const Selector& points,
                                const PayloadEdit& edit) {
  JsonWriter json;
  json.begin_object();
  if (const auto* set = std::get_if<SetPayload>(&edit)) {
    json.key("payload").raw(set->payload.json());
    if (!set->key.empty()) json.key("key").string(set->key);
  } else if (const auto* overwrite = std::get_if<OverwritePayload>(&edit)) {
    json.key("payload").raw(overwrite->payload.json());
  } else if (const auto* erase = std::get_if<DeletePayload>(&edit)) {
    json.key("keys").begin_array();
    for (const std::string& key : erase->keys) json.string(key);
    json.end_array();
  }
  write_selector(points, &json);
  json.end_object();
  return json.take();
}

Result<EditPayloadRequest> read_set_payload(const JsonValue& root) {
  ObjectReader object(root, "");
  SetPayload set;
  read_required_payload(&object, &set.payload);
  object.read("key", &set.key);
  return finish_edit(&object, std::move(set));
}

Result<EditPayloadRequest> read_overwrite_payload(const JsonValue& root) {
  ObjectReader object(root, "");
  OverwritePayload overwrite;
  read_required_payload(&object, &overwrite.payload);
  object.refuse({"key"});
  return finish_edit(&object, std::move(overwrite));
}

Result<EditPayloadRequest> read_delete_payload(const JsonValue& root) {
  ObjectReader object(root, "");
  DeletePayload erase;
  if (const JsonValue* keys = object.require("keys"); keys != nullptr) {
    Result<std::vector<std::string>> read = read_list(*keys, "keys", read_text);
    if (!read.ok()) return read.status();
    erase.keys = *std::move(read);
  }
  return finish_edit(&object, std::move(erase));
}

Result<EditPayloadRequest> read_clear_payload(const JsonValue& root) {
  ObjectReader object(root, "");
  return finish_edit(&object, ClearPayload{});
}

Result<EditPayloadRequest> decode_set_payload(std::string_view body) {
  return decode_request(body, read_set_payload);
}

Result<EditPayloadRequest> decode_overwrite_payload(std::string_view body) {
  return decode_request(body, read_overwrite_payload);
}

Result<EditPayloadRequest> decode_delete_payload(std::string_view body) {
  return decode_request(body, read_delete_payload);
}

Result<EditPayloadRequest> decode_clear_payload(std::string_view body) {
  return decode_request(body, read_clear_payload);
}

EditRoute route_of(const PayloadEdit& edit) {
  if (std::holds_alternative<SetPayload>(edit)) return {"POST", "/payload"};
  if (std::holds_alternative<OverwritePayload>(edit)) {
    return {"PUT", "/payload"};
  }
  if (std::holds_alternative<DeletePayload>(edit)) {
    return {"POST", "/payload/delete"};
  }
  return {"POST", "/payload/clear"};
}

std::string encode_create_index(std::string_view key, PayloadIndexType type) {
  JsonWriter json;
  json.begin_object().key("field_name").string(key);
  json.key("field_schema").string(to_string(type)).end_object();
  return json.take();
}

Result<CreateIndexRequest> decode_create_index(std::string_view body) {
  return decode_request(body, read_create_index);
}

std::string encode_facet(std::string_view key, const FacetOptions& options) {
  JsonWriter json;
  json.begin_object().key("key").string(key);
  json.key("limit").uint64(options.limit);
  write_filter_field(options.filter, &json);
  json.end_object();
  return json.take();
}

Result<FacetRequest> decode_facet(std::string_view body) {
  return decode_request(body, read_facet);
}

std::string encode_facet_reply(std::span<const FacetHit> hits, double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("hits").begin_array();
  for (const FacetHit& hit : hits) {
    json.begin_object().key("value");
    write_value(hit.value, &json);
    json.key("count").uint64(hit.count).end_object();
  }
  json.end_array().end_object();
  return end_reply(std::move(json), seconds);
}

Result<std::vector<FacetHit>> decode_facet_reply(std::string_view body) {
  return decode_reply(body, read_facet_hits);
}

}  // namespace lamina::protocol
