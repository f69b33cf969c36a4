#include "io/json_line.h"

#include <string>

#include "types/json_reader.h"
#include "types/utf8.h"

namespace lamina::io {
namespace {

Status unknown_key(std::string_view key, bool with_vector) {
  return Status::invalid_argument(
      "unknown key \"" + std::string(utf8_prefix(key, 64)) + "\", expected " +
      (with_vector ? "id, vector and payload" : "id and payload"));
}

Status take_member(const JsonValue::Member& member, std::vector<float>* values,
                   JsonLine* line) {
  const JsonValue& value = member.value;
  if (member.key == "id") {
    if (value.is_null()) return {};
    const Result<PointId> id = value.as_point_id("id");
    if (id.ok()) line->id = *id;
    return id.status();
  }
  if (member.key == "payload") {
    if (value.is_null()) return {};
    Result<Payload> payload = Payload::from_json(value.compact_text());
    if (payload.ok()) line->payload = *std::move(payload);
    return payload.status();
  }
  if (member.key == "vector" && values != nullptr) {
    if (value.is_null()) return {};
    line->has_vector = true;
    return value.read_floats("vector", values);
  }
  return unknown_key(member.key, values != nullptr);
}

}  // namespace

Result<JsonLine> read_json_line(std::string_view line,
                                std::vector<float>* values) {
  // The object around it is one level more than a payload may have.
  const Result<JsonDocument> document =
      JsonDocument::parse(line, kMaxJsonDepth + 1);
  if (!document.ok()) return document.status();
  const JsonValue root = document->root();
  if (root.kind() != JsonKind::object) {
    return Status::invalid_argument("expected an object, got " +
                                    std::string(root.kind_name()));
  }
  JsonLine result;
  for (const JsonValue::Member& member : root.members()) {
    const Status taken = take_member(member, values, &result);
    if (!taken.ok()) return taken;
  }
  return result;
}

Result<std::string_view> require_line(LineReader& lines) {
  const Result<std::optional<std::string_view>> line = lines.next();
  if (!line.ok()) return line.status();
  if (line->has_value()) return **line;
  return Status::invalid_argument(lines.where() +
                                  " is missing: fewer lines than vectors");
}

Status skip_lines(std::uint64_t count, LineReader& lines) {
  for (; count > 0; --count) {
    const Result<std::string_view> line = require_line(lines);
    if (!line.ok()) return line.status();
  }
  return {};
}

Status require_end(LineReader& lines) {
  const Result<std::optional<std::string_view>> line = lines.next();
  if (!line.ok()) return line.status();
  if (!line->has_value()) return {};
  return Status::invalid_argument(lines.where() +
                                  " is one more than there are vectors");
}

}  // namespace lamina::io
