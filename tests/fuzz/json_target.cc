#include <algorithm>
#include <cmath>

#include "fuzz/targets.h"
#include "lamina/payload.h"
#include "types/json_reader.h"
#include "types/json_writer.h"
#include "types/utf8.h"

namespace lamina::fuzz {
namespace {

void look_at_number(const JsonValue& value) {
  const Result<float> number = value.as_float("");
  if (number.ok()) {
    check(std::isfinite(*number), "a number that is read is finite");
    JsonWriter json;
    json.float32(*number);
    const auto again = JsonDocument::parse(json.text());
    check(again.ok() && again->root().as_float("").value() == *number,
          "a float that is written reads back");
  }
  const Result<std::uint64_t> integer = value.as_uint64("");
  if (integer.ok()) {
    const Result<PointId> id = value.as_point_id("");
    check(id.ok() && *id == PointId(*integer), "a whole number is an id");
  }
}

void look_at_string(const JsonValue& value) {
  check(is_valid_utf8(value.string()), "a string is UTF-8");
  const Result<PointId> id = value.as_point_id("");
  check(!id.ok() || PointId::parse(id->to_string()).value() == *id,
        "an id that is written reads back");
}

void look_at(const JsonValue& value, std::size_t depth) {
  check(depth <= kMaxJsonDepth, "no value is deeper than allowed");
  if (value.kind() == JsonKind::number) return look_at_number(value);
  if (value.kind() == JsonKind::string) return look_at_string(value);
  if (value.kind() == JsonKind::array) {
    const std::vector<JsonValue> elements = value.elements();
    check(elements.size() == value.size(), "an array has its elements");
    for (const JsonValue& element : elements) look_at(element, depth + 1);
    std::vector<float> floats;
    const bool read = value.read_floats("", &floats).ok();
    check(!read || floats.size() == elements.size(), "no number is lost");
  }
  if (value.kind() != JsonKind::object) return;
  for (const JsonValue::Member& member : value.members()) {
    check(is_valid_utf8(member.key), "a key is UTF-8");
    const std::optional<JsonValue> found = value.find(member.key);
    check(found && found->compact_text() == member.value.compact_text(),
          "a member is found by its key");
    look_at(member.value, depth + 1);
  }
}

void look_at_payload(std::string_view input, const JsonValue& root) {
  const Result<Payload> payload = Payload::from_json(input);
  check(payload.ok() || root.kind() != JsonKind::object ||
            payload.status().message().find("1") != std::string::npos,
        "an object is a payload, unless a number is too large");
  if (!payload.ok()) return;
  check(payload->json() == root.compact_text(), "a payload keeps its text");
  check(Payload::from_json(payload->json()).value() == *payload,
        "a payload reads back");
}

bool same(const JsonValue& a, const JsonValue& b) {
  if (a.kind() != b.kind()) return false;
  if (a.kind() == JsonKind::number) return a.number() == b.number();
  if (a.kind() == JsonKind::string) return a.string() == b.string();
  if (a.kind() == JsonKind::array) {
    return std::ranges::equal(a.elements(), b.elements(), same);
  }
  if (a.kind() != JsonKind::object) return true;
  return std::ranges::equal(
      a.members(), b.members(),
      [](const JsonValue::Member& x, const JsonValue::Member& y) {
        return x.key == y.key && same(x.value, y.value);
      });
}

void run(std::string_view input) {
  const Result<JsonDocument> document = JsonDocument::parse(input);
  if (!document.ok()) {
    check(!Payload::from_json(input).ok(), "a payload is JSON");
    return;
  }
  const JsonValue root = document->root();
  look_at(root, 0);
  const std::string compact = root.compact_text();
  const Result<JsonDocument> again = JsonDocument::parse(compact);
  check(again.ok() && same(again->root(), root) &&
            again->root().compact_text() == compact,
        "JSON without its white space is the same JSON");
  look_at_payload(input, root);
}

std::vector<std::string> seeds() {
  return {
      // What RapidJSON's own numbers crash on.
      "[0.0000000001e-2147483639]",
      "[1e-400, 1e400, 1e39, 1e-50, -0, -0.0, 0.91872198684135509]",
      "[18446744073709551615, 18446744073709551616, 9007199254740993]",
      R"({"a": {"b": [1, "two", null, true, {"c": []}]}, "d": -1.5e3})",
      R"(["é", "\u0000", "\ud83d\ude00", "\udc00", "\"\\\/\b\f\n\r\t"])",
      R"({"id": "550e8400-e29b-41d4-a716-446655440000", "a": 1, "a": 2})",
      std::string("{\"a\"\0:1}", 8),
      std::string("[1,2]\0", 6),
      "[1,2,3.5,-4e2,]",
      "[NaN]",
      "\"\xff\xfe\"",
      std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']'),
      std::string(kMaxJsonDepth + 1, '['),
      "  [ 1 , 2\t,\n3 ] ",
      R"( { "a \" b" : "c \\" , "d" : [ "e \\\" f" ] } )",
      "{}",
  };
}

}  // namespace

Target json_target() {
  return {.name = "json",
          .what =
              "The JSON reader, which all JSON goes through, and payloads. "
              "What is read is UTF-8 and finite, no deeper than allowed, "
              "and survives being written.",
          .run = run,
          .seeds = seeds,
          .words = {"\"", "\\u", "\\ud800", "\\udc00", "1e400", "-0.0",
                    "18446744073709551616", "null", "true", "[[", "]]",
                    "{\"a\":", "e-2147483639", "0.0000000001"}};
}

}  // namespace lamina::fuzz
