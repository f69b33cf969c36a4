#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/limits.h"
#include "lamina/payload.h"
#include "lamina/result.h"
#include "types/json_reader.h"
#include "types/json_writer.h"

// What the codecs of all routes share: reading an object field by field, and
// the envelope of replies. Internal to the protocol.
namespace lamina::protocol {

// Levels that requests and replies put around a payload, which may itself be
// kMaxJsonDepth deep.
inline constexpr std::size_t kMaxEnvelopeDepth = 8;

// "points" and 3 give "points[3]".
std::string element_path(std::string_view path, std::size_t index);

// "path: lamina does not support what".
Status unsupported(std::string_view path, std::string_view what);

// Reads one JSON object field by field. The first error stays, and every later
// call does nothing, so that a decoder reads top to bottom and asks once:
//
//   ObjectReader object(value, path);
//   object.read("limit", &limit);
//   const Status read = object.finish();
//
// A field that is null counts as absent.
class ObjectReader {
 public:
  // `path` names the object in messages; empty for the root.
  ObjectReader(const JsonValue& value, std::string path);

  // "points[3].id" for the field "id".
  std::string path_of(std::string_view name) const;

  // The field, or null when it is absent. Valid as long as the reader.
  const JsonValue* find(std::string_view name);
  // As find; absence is an error.
  const JsonValue* require(std::string_view name);

  // Leave the target as it is when the field is absent.
  void read(std::string_view name, bool* value);
  void read(std::string_view name, std::uint64_t* value);
  void read(std::string_view name, std::optional<float>* value);
  void read(std::string_view name, std::string* value);

  // As read() of a count, where the smallest that makes sense is `min`; below
  // is an error of `field`. Larger ones than kMaxCount become kMaxCount.
  void read_count(std::string_view name, std::string_view field,
                  std::uint64_t min, std::uint64_t* value);

  // Lets fields pass that have no effect here.
  void ignore(std::initializer_list<std::string_view> names);
  // Refuses fields that would change what the request means.
  void refuse(std::initializer_list<std::string_view> names);

  void fail(Status status);
  bool ok() const { return status_.ok(); }
  // The first error.
  const Status& status() const { return status_; }
  // The first error; a field that nobody asked for is one too.
  Status finish();

 private:
  struct Field {
    JsonValue::Member member;
    bool known = false;
  };

  std::string path_;
  std::vector<Field> fields_;
  Status status_;
};

Result<JsonDocument> parse_message(std::string_view body);

// Parses a request and hands its root to `read`.
template <class T>
Result<T> decode_request(std::string_view body,
                         Result<T> (*read)(const JsonValue& root)) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok()) return document.status();
  return read(document->root());
}

// Parses a reply and hands what stands at "result" to `read`.
template <class T>
Result<T> decode_reply(std::string_view body,
                       Result<T> (*read)(const JsonValue& result)) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok()) return document.status();
  ObjectReader envelope(document->root(), "");
  const JsonValue* result = envelope.require("result");
  if (result == nullptr) return envelope.status();
  return read(*result);
}

// Reads every element of an array with `read`.
template <class T>
Result<std::vector<T>> read_list(const JsonValue& value, std::string_view path,
                                 Result<T> (*read)(const JsonValue& element,
                                                   std::string_view path)) {
  if (value.kind() != JsonKind::array) {
    return Status::invalid_argument(std::string(path) +
                                    ": expected an array, got " +
                                    std::string(value.kind_name()));
  }
  std::vector<T> list;
  list.reserve(value.size());
  for (const JsonValue& element : value.elements()) {
    Result<T> item = read(element, element_path(path, list.size()));
    if (!item.ok()) return item.status();
    list.push_back(*std::move(item));
  }
  return list;
}

// {"result": ... }: begin, write the result, end.
JsonWriter begin_reply();
std::string end_reply(JsonWriter json, double seconds);

}  // namespace lamina::protocol
