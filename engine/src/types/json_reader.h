#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/limits.h"
#include "lamina/point_id.h"
#include "lamina/result.h"

namespace lamina {

class JsonDocument;

enum class JsonKind { null, boolean, number, string, array, object };

// One value inside a JsonDocument; a cheap handle, valid while the document
// stays where it is and the text it was parsed from lives.
class JsonValue {
 public:
  struct Member;

  JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::null; }

  // The value of a boolean; only when kind() says so, as all that follow.
  bool boolean() const;
  // A number's digits as they stand in the text.
  std::string_view number() const;
  // A string, unescaped.
  std::string_view string() const;
  // Elements of an array, members of an object.
  std::size_t size() const;
  // Levels of arrays and objects, this one included; 0 for anything else.
  std::size_t depth() const;
  std::vector<JsonValue> elements() const;
  std::vector<Member> members() const;
  // The member of an object by that name, if there is one.
  std::optional<JsonValue> find(std::string_view key) const;

  // The value as it stands in the text, without white space between tokens.
  std::string compact_text() const;

  // "a number", "an object", ...: for messages.
  std::string_view kind_name() const;

  // Typed readers. `path` names the value in messages: "points[3].id".
  //   invalid_argument: another kind, or out of the type's range.
  Result<bool> as_bool(std::string_view path) const;
  Result<std::uint64_t> as_uint64(std::string_view path) const;
  Result<float> as_float(std::string_view path) const;
  Result<std::string_view> as_string(std::string_view path) const;
  Result<PointId> as_point_id(std::string_view path) const;

  // Appends the numbers of an array to `values`. A number that no float32 can
  // hold is refused, one too small for it becomes zero.
  Status read_floats(std::string_view path, std::vector<float>* values) const;

 private:
  friend class JsonDocument;
  // A node of the document, or one number of an array that is a single node.
  const JsonDocument* document_ = nullptr;
  std::uint32_t node_ = 0;
  std::string_view run_number_;
};

struct JsonValue::Member {
  std::string_view key;
  JsonValue value;
};

// Strict JSON, read once: RFC 8259, valid UTF-8, bounded depth, no duplicate
// keys in one object, no bytes behind the value. Numbers stay text until
// somebody asks for a type, so that nothing is lost on the way, and an array of
// numbers costs no memory beyond its text.
//
// Thread safety: const calls may run concurrently.
class JsonDocument {
 public:
  // `text` must outlive the document. Arrays and objects nested deeper than
  // `max_depth` are refused.
  //   invalid_argument: says what is wrong and at which byte.
  static Result<JsonDocument> parse(std::string_view text,
                                    std::size_t max_depth = kMaxJsonDepth);

  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  JsonValue root() const;

 private:
  friend class JsonValue;
  struct Nodes;
  explicit JsonDocument(std::unique_ptr<Nodes> nodes);

  std::unique_ptr<Nodes> nodes_;
};

}  // namespace lamina
