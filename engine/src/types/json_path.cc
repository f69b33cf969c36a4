#include "types/json_path.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "types/utf8.h"

namespace lamina {
namespace {

using Step = JsonPath::Step;
using StepKind = JsonPath::StepKind;

bool is_plain_key_character(char c) {
  return c != '.' && c != '[' && c != ']' && c != '"';
}

// Takes a key, plain or in quotes, off the front of `text`.
bool take_key(std::string_view* text, std::vector<Step>* steps) {
  if (text->starts_with('"')) {
    const std::size_t close = text->find('"', 1);
    if (close == std::string_view::npos) return false;
    steps->push_back({.key = std::string(text->substr(1, close - 1))});
    text->remove_prefix(close + 1);
    return true;
  }
  const auto end =
      std::find_if_not(text->begin(), text->end(), is_plain_key_character);
  if (end == text->begin()) return false;
  steps->push_back({.key = std::string(text->begin(), end)});
  text->remove_prefix(steps->back().key.size());
  return true;
}

// Takes "[]" or "[12]" off the front of `text`, which starts with '['.
bool take_brackets(std::string_view* text, std::vector<Step>* steps) {
  const std::size_t close = text->find(']');
  if (close == std::string_view::npos) return false;
  const std::string_view digits = text->substr(1, close - 1);
  text->remove_prefix(close + 1);
  if (digits.empty()) {
    steps->push_back({.kind = StepKind::every_element});
    return true;
  }
  Step step{.kind = StepKind::element};
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, step.index);
  steps->push_back(step);
  return error == std::errc() && rest == end;
}

std::optional<std::vector<Step>> parse_steps(std::string_view text) {
  std::vector<Step> steps;
  while (true) {
    if (!take_key(&text, &steps)) return std::nullopt;
    while (text.starts_with('[')) {
      if (!take_brackets(&text, &steps)) return std::nullopt;
    }
    if (text.empty()) return steps;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
}

// Recursion is bounded by the number of steps.
void collect_from(const JsonValue& value, std::span<const Step> steps,
                  std::vector<JsonValue>* values) {
  if (steps.empty()) {
    values->push_back(value);
    return;
  }
  const Step& step = steps.front();
  const std::span<const Step> rest = steps.subspan(1);
  if (step.kind == StepKind::key) {
    if (value.kind() != JsonKind::object) return;
    const std::optional<JsonValue> member = value.find(step.key);
    if (member.has_value()) collect_from(*member, rest, values);
    return;
  }
  if (value.kind() != JsonKind::array) return;
  const std::vector<JsonValue> elements = value.elements();
  if (step.kind == StepKind::element) {
    if (step.index >= elements.size()) return;
    collect_from(elements[step.index], rest, values);
    return;
  }
  for (const JsonValue& element : elements) collect_from(element, rest, values);
}

}  // namespace

Result<JsonPath> JsonPath::parse(std::string_view text) {
  std::optional<std::vector<Step>> steps = parse_steps(text);
  // A key that is no UTF-8 is in no payload, and cannot be put into one.
  if (!steps.has_value() || steps->size() > kMaxJsonDepth ||
      !is_valid_utf8(text)) {
    constexpr std::size_t kMaxShownBytes = 64;
    return Status::invalid_argument(
        "not a payload path: \"" +
        std::string(utf8_prefix(text, kMaxShownBytes)) +
        "\", expected keys joined by '.', each followed by any number of [] "
        "and [2], at most " +
        std::to_string(kMaxJsonDepth) + " steps");
  }
  JsonPath path;
  path.steps_ = *std::move(steps);
  return path;
}

bool JsonPath::names_many() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
    return step.kind == StepKind::every_element;
  });
}

JsonPath JsonPath::of_elements() const {
  JsonPath path = *this;
  path.steps_.push_back({.kind = StepKind::every_element});
  return path;
}

void JsonPath::collect(const JsonValue& root,
                       std::vector<JsonValue>* values) const {
  collect_from(root, steps_, values);
}

}  // namespace lamina
