#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/status.h"
#include "types/json_reader.h"

namespace lamina::bench {

// Reads the fields of JSON objects that this program wrote. The first field
// that is missing or of another kind is kept in `error`; reading goes on with
// zeros, so that callers check once, at the end. Unknown keys are ignored.
class JsonFields {
 public:
  JsonFields(JsonValue value, Status* error) : error_(error) {
    if (value.kind() == JsonKind::object) {
      members_ = value.members();
    } else {
      fail("", "is not an object");
    }
  }

  const std::vector<JsonValue::Member>& members() const { return members_; }

  // Null counts as absent.
  bool has(std::string_view key) const {
    const JsonValue* value = find(key);
    return value != nullptr && !value->is_null();
  }

  std::string text(std::string_view key) const {
    const JsonValue* value = require(key, JsonKind::string);
    return value == nullptr ? "" : std::string(value->string());
  }

  bool flag(std::string_view key) const {
    const JsonValue* value = require(key, JsonKind::boolean);
    return value != nullptr && value->boolean();
  }

  double number(std::string_view key) const {
    const JsonValue* value = require(key, JsonKind::number);
    return value == nullptr ? 0.0 : parse<double>(key, value->number());
  }

  std::uint64_t count(std::string_view key) const {
    const JsonValue* value = require(key, JsonKind::number);
    return value == nullptr ? 0 : parse<std::uint64_t>(key, value->number());
  }

  std::optional<std::uint64_t> optional_count(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    return count(key);
  }

  std::vector<JsonValue> list(std::string_view key) const {
    const JsonValue* value = require(key, JsonKind::array);
    return value == nullptr ? std::vector<JsonValue>{} : value->elements();
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> texts;
    for (const JsonValue& element : list(key)) {
      if (element.kind() == JsonKind::string) {
        texts.emplace_back(element.string());
      } else {
        fail(key, "holds something else than strings");
      }
    }
    return texts;
  }

  std::vector<double> numbers(std::string_view key) const {
    return numbers_of<double>(key, list(key));
  }

  std::vector<std::uint64_t> counts(std::string_view key) const {
    return numbers_of<std::uint64_t>(key, list(key));
  }

  // A list of lists of counts.
  std::vector<std::vector<std::uint64_t>> count_rows(
      std::string_view key) const {
    std::vector<std::vector<std::uint64_t>> rows;
    for (const JsonValue& row : list(key)) {
      if (row.kind() != JsonKind::array) {
        fail(key, "holds something else than lists");
        continue;
      }
      rows.push_back(numbers_of<std::uint64_t>(key, row.elements()));
    }
    return rows;
  }

  JsonFields object(std::string_view key) const {
    const JsonValue* value = require(key, JsonKind::object);
    return value == nullptr ? JsonFields(error_) : JsonFields(*value, error_);
  }

  std::vector<JsonFields> objects(std::string_view key) const {
    std::vector<JsonFields> objects;
    for (const JsonValue& element : list(key))
      objects.emplace_back(element, error_);
    return objects;
  }

 private:
  explicit JsonFields(Status* error) : error_(error) {}

  const JsonValue* find(std::string_view key) const {
    for (const JsonValue::Member& member : members_) {
      if (member.key == key) return &member.value;
    }
    return nullptr;
  }

  const JsonValue* require(std::string_view key, JsonKind kind) const {
    const JsonValue* value = find(key);
    if (value != nullptr && value->kind() == kind) return value;
    fail(key, "is missing or of another kind");
    return nullptr;
  }

  template <class T>
  T parse(std::string_view key, std::string_view digits) const {
    T value{};
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) fail(key, "is out of range");
    return value;
  }

  template <class T>
  std::vector<T> numbers_of(std::string_view key,
                            const std::vector<JsonValue>& elements) const {
    std::vector<T> numbers;
    for (const JsonValue& element : elements) {
      if (element.kind() == JsonKind::number) {
        numbers.push_back(parse<T>(key, element.number()));
      } else {
        fail(key, "holds something else than numbers");
      }
    }
    return numbers;
  }

  void fail(std::string_view key, std::string_view what) const {
    if (error_->ok())
      *error_ = Status::invalid_field(std::string(key), std::string(what));
  }

  std::vector<JsonValue::Member> members_;
  Status* error_;
};

}  // namespace lamina::bench
