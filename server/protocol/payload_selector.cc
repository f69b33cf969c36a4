#include "protocol/payload_selector.h"

#include <algorithm>
#include <span>

#include "protocol/message.h"
#include "types/json_path.h"

namespace lamina::protocol {
namespace {

using Step = JsonPath::Step;
using StepKind = JsonPath::StepKind;

// Paths that agree with where we are, as what is left of them. One that has
// nothing left names the place itself.
using Rest = std::vector<std::span<const Step>>;

std::vector<JsonPath> parse_checked_paths(
    const std::vector<std::string>& texts) {
  std::vector<JsonPath> paths;
  for (const std::string& text : texts) {
    Result<JsonPath> path = JsonPath::parse(text);
    if (path.ok()) paths.push_back(*std::move(path));
  }
  return paths;
}

bool goes_into_elements(const Step& step) {
  return step.kind == StepKind::every_element;
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
           return !steps.empty() &&
                  goes_into_elements(steps.front()) == is_array;
         });
}

Rest into_member(const Rest& rest, std::string_view key) {
  Rest next;
  for (const auto& steps : rest) {
    if (!steps.empty() && !goes_into_elements(steps.front()) &&
        steps.front().key == key) {
      next.push_back(steps.subspan(1));
    }
  }
  return next;
}

Rest into_elements(const Rest& rest) {
  Rest next;
  for (const auto& steps : rest) {
    if (!steps.empty() && goes_into_elements(steps.front())) {
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

bool names_one_element(const JsonPath& path) {
  return std::any_of(
      path.steps().begin(), path.steps().end(),
      [](const Step& step) { return step.kind == StepKind::element; });
}

Result<std::string> read_path(const JsonValue& value, std::string_view path) {
  const Result<std::string_view> text = value.as_string(path);
  if (!text.ok()) return text.status();
  const Result<JsonPath> parsed = JsonPath::parse(*text);
  if (!parsed.ok() || names_one_element(*parsed)) {
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
  const std::vector<JsonPath> paths =
      parse_checked_paths(including ? include : exclude);
  Rest rest;
  for (const JsonPath& path : paths) rest.emplace_back(path.steps());
  JsonWriter json;
  PartWriter(including).write(document->root(), rest, &json);
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
