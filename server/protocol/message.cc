#include "protocol/message.h"

#include <algorithm>

namespace lamina::protocol {
namespace {

// Field names come from outside; messages stay short.
std::string shown(std::string_view name) {
  return "`" + std::string(name.substr(0, 64)) + "`";
}

}  // namespace

std::string element_path(std::string_view path, std::size_t index) {
  return std::string(path) + "[" + std::to_string(index) + "]";
}

Status unsupported(std::string_view path, std::string_view what) {
  return Status::invalid_argument(
      std::string(path) + ": lamina does not support " + std::string(what));
}

ObjectReader::ObjectReader(const JsonValue& value, std::string path)
    : path_(std::move(path)) {
  if (value.kind() != JsonKind::object) {
    fail(Status::invalid_argument((path_.empty() ? "" : path_ + ": ") +
                                  "expected an object, got " +
                                  std::string(value.kind_name())));
    return;
  }
  fields_.reserve(value.size());
  for (const JsonValue::Member& member : value.members()) {
    fields_.push_back({member, false});
  }
}

std::string ObjectReader::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

const JsonValue* ObjectReader::find(std::string_view name) {
  for (Field& field : fields_) {
    if (field.member.key != name) continue;
    field.known = true;
    return field.member.value.is_null() ? nullptr : &field.member.value;
  }
  return nullptr;
}

const JsonValue* ObjectReader::require(std::string_view name) {
  const JsonValue* value = find(name);
  if (value == nullptr) {
    fail(Status::invalid_argument((path_.empty() ? "" : path_ + ": ") +
                                  "missing field `" + std::string(name) + "`"));
  }
  return value;
}

void ObjectReader::read(std::string_view name, bool* value) {
  const JsonValue* field = find(name);
  if (field == nullptr || !ok()) return;
  const Result<bool> read = field->as_bool(path_of(name));
  if (!read.ok()) return fail(read.status());
  *value = *read;
}

void ObjectReader::read(std::string_view name, std::uint64_t* value) {
  const JsonValue* field = find(name);
  if (field == nullptr || !ok()) return;
  const Result<std::uint64_t> read = field->as_uint64(path_of(name));
  if (!read.ok()) return fail(read.status());
  *value = *read;
}

void ObjectReader::read(std::string_view name, std::optional<float>* value) {
  const JsonValue* field = find(name);
  if (field == nullptr || !ok()) return;
  const Result<float> read = field->as_float(path_of(name));
  if (!read.ok()) return fail(read.status());
  *value = *read;
}

void ObjectReader::read(std::string_view name, std::string* value) {
  const JsonValue* field = find(name);
  if (field == nullptr || !ok()) return;
  const Result<std::string_view> read = field->as_string(path_of(name));
  if (!read.ok()) return fail(read.status());
  *value = *read;
}

void ObjectReader::read_count(std::string_view name, std::string_view field,
                              std::uint64_t min, std::uint64_t* value) {
  std::uint64_t count = std::max(*value, min);
  read(name, &count);
  if (!ok()) return;
  if (count < min) {
    return fail(Status::invalid_field(
        std::string(field), "value " + std::to_string(count) +
                                " invalid, must be " + std::to_string(min) +
                                " or larger"));
  }
  *value = std::min(count, kMaxCount);
}

void ObjectReader::ignore(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) find(name);
}

void ObjectReader::refuse(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (find(name) == nullptr) continue;
    fail(unsupported(path_of(name), shown(name) + " yet"));
  }
}

void ObjectReader::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

Status ObjectReader::finish() {
  for (const Field& field : fields_) {
    if (field.known) continue;
    fail(Status::invalid_argument((path_.empty() ? "" : path_ + ": ") +
                                  "unknown field " + shown(field.member.key)));
  }
  return status_;
}

Result<JsonDocument> parse_message(std::string_view body) {
  return JsonDocument::parse(body, kMaxJsonDepth + kMaxEnvelopeDepth);
}

JsonWriter begin_reply() {
  JsonWriter json;
  json.begin_object().key("result");
  return json;
}

std::string end_reply(JsonWriter json, double seconds) {
  json.key("status").string("ok");
  json.key("time").float64(seconds).end_object();
  return json.take();
}

}  // namespace lamina::protocol
