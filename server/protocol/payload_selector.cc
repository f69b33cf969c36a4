#include "protocol/payload_selector.h"

#include <algorithm>
#include <optional>
#include <span>

#include "protocol/message.h"

namespace lamina::protocol {
namespace {

// One step down: into a member, or into every element of an array.
struct Step {
  bool into_elements = false;
  std::string key;
};

using Path = std::vector<Step>;

// Paths that agree with where we are, as what is left of them. One that has
// nothing left names the place itself.
using Rest = std::vector<std::span<const Step>>;

bool is_plain_key_character(char c) {
  return c != '.' && c != '[' && c != ']' && c != '"';
}

// Takes a key, plain or in quotes, off the front of `text`.
bool take_key(std::string_view* text, std::string* key) {
  if (text->starts_with('"')) {
    const std::size_t close = text->find('"', 1);
    if (close == std::string_view::npos) return false;
    *key = text->substr(1, close - 1);
    text->remove_prefix(close + 1);
    return true;
  }
  const auto end =
      std::find_if_not(text->begin(), text->end(), is_plain_key_character);
  *key = std::string(text->begin(), end);
  text->remove_prefix(key->size());
  return !key->empty();
}

// "a.b", "a[].b", "\"x.y\".z"; nothing when the text is no such path.
std::optional<Path> parse_path(std::string_view text) {
  Path path;
  while (true) {
    Step step;
    if (!take_key(&text, &step.key)) return std::nullopt;
    path.push_back(std::move(step));
    while (text.starts_with("[]")) {
      path.push_back({.into_elements = true, .key = {}});
      text.remove_prefix(2);
    }
    if (text.empty()) return path;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
}

std::vector<Path> parse_checked_paths(const std::vector<std::string>& texts) {
  std::vector<Path> paths;
  for (const std::string& text : texts) {
    std::optional<Path> path = parse_path(text);
    if (path.has_value()) paths.push_back(*std::move(path));
  }
  return paths;
}

bool is_container(const JsonValue& value) {
  return value.kind() == JsonKind::object || value.kind() == JsonKind::array;
}

bool names_place(const Rest& rest) {
  return std::any_of(rest.begin(), rest.end(),
                     [](const auto& steps) { return steps.empty(); });
}

// Whether any path goes on into what `value` holds.
bool goes_into(const Rest& rest, const JsonValue& value) {
  const bool is_array = value.kind() == JsonKind::array;
  return is_container(value) &&
         std::any_of(rest.begin(), rest.end(), [&](const auto& steps) {
           return !steps.empty() && steps.front().into_elements == is_array;
         });
}

Rest into_member(const Rest& rest, std::string_view key) {
  Rest next;
  for (const auto& steps : rest) {
    if (!steps.empty() && !steps.front().into_elements &&
        steps.front().key == key) {
      next.push_back(steps.subspan(1));
    }
  }
  return next;
}

Rest into_elements(const Rest& rest) {
  Rest next;
  for (const auto& steps : rest) {
    if (!steps.empty() && steps.front().into_elements) {
      next.push_back(steps.subspan(1));
    }
  }
  return next;
}

// Writes the part of a value that the paths leave. Recursion is bounded by the
// depth of a payload.
class PartWriter {
 public:
  explicit PartWriter(bool including) : including_(including) {}

  void write(const JsonValue& value, const Rest& rest, JsonWriter* json) const {
    const bool whole = including_ ? names_place(rest) : !goes_into(rest, value);
    if (whole) {
      json->raw(value.compact_text());
    } else if (value.kind() == JsonKind::object) {
      write_members(value, rest, json);
    } else {
      write_elements(value, rest, json);
    }
  }

 private:
  bool keeps(const JsonValue& value, const Rest& rest) const {
    if (!including_) return !names_place(rest);
    return names_place(rest) || goes_into(rest, value);
  }

  void write_members(const JsonValue& object, const Rest& rest,
                     JsonWriter* json) const {
    json->begin_object();
    for (const JsonValue::Member& member : object.members()) {
      const Rest next = into_member(rest, member.key);
      if (!keeps(member.value, next)) continue;
      json->key(member.key);
      write(member.value, next, json);
    }
    json->end_object();
  }

  void write_elements(const JsonValue& array, const Rest& rest,
                      JsonWriter* json) const {
    const Rest next = into_elements(rest);
    json->begin_array();
    for (const JsonValue& element : array.elements()) {
      if (keeps(element, next)) write(element, next, json);
    }
    json->end_array();
  }

  bool including_;
};

Result<std::string> read_path(const JsonValue& value, std::string_view path) {
  const Result<std::string_view> text = value.as_string(path);
  if (!text.ok()) return text.status();
  if (!parse_path(*text).has_value()) {
    return Status::invalid_argument(
        std::string(path) +
        ": not a payload path, expected keys joined by '.', each followed by "
        "any number of []");
  }
  return std::string(*text);
}

// A list of nothing selects nothing to include, and nothing to exclude.
Result<PayloadSelector> include_only(const JsonValue& list,
                                     std::string_view path) {
  Result<std::vector<std::string>> paths = read_list(list, path, read_path);
  if (!paths.ok()) return paths.status();
  PayloadSelector selector;
  selector.enabled = !paths->empty();
  selector.include = *std::move(paths);
  return selector;
}

Result<PayloadSelector> read_selector_object(const JsonValue& value,
                                             std::string_view path) {
  ObjectReader object(value, std::string(path));
  const JsonValue* include = object.find("include");
  const JsonValue* exclude = object.find("exclude");
  const Status read = object.finish();
  if (!read.ok()) return read;
  if ((include == nullptr) == (exclude == nullptr)) {
    return Status::invalid_argument(std::string(path) +
                                    ": expected either `include` or `exclude`");
  }
  if (include != nullptr) {
    return include_only(*include, object.path_of("include"));
  }
  Result<std::vector<std::string>> paths =
      read_list(*exclude, object.path_of("exclude"), read_path);
  if (!paths.ok()) return paths.status();
  return PayloadSelector{true, {}, *std::move(paths)};
}

}  // namespace

Payload PayloadSelector::apply(const Payload& payload) const {
  if (!enabled) return {};
  if (include.empty() && exclude.empty()) return payload;

  const Result<JsonDocument> document = JsonDocument::parse(payload.json());
  if (!document.ok()) return payload;  // Cannot be: payloads are checked.
  const bool including = !include.empty();
  const std::vector<Path> paths =
      parse_checked_paths(including ? include : exclude);
  JsonWriter json;
  PartWriter(including).write(document->root(),
                              Rest(paths.begin(), paths.end()), &json);
  return Payload::from_checked_json(json.text());
}

Result<PayloadSelector> read_payload_selector(const JsonValue& value,
                                              std::string_view path) {
  switch (value.kind()) {
    case JsonKind::boolean:
      return PayloadSelector{value.boolean(), {}, {}};
    case JsonKind::array:
      return include_only(value, path);
    case JsonKind::object:
      return read_selector_object(value, path);
    default:
      return Status::invalid_argument(
          std::string(path) +
          ": expected true, false, a list of payload paths, or an object with "
          "`include` or `exclude`, got " +
          std::string(value.kind_name()));
  }
}

}  // namespace lamina::protocol
