#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"
#include "types/json_reader.h"

namespace lamina {

// A path into a payload: keys joined by '.', each followed by any number of
// "[]", every element of an array, and "[2]", one of them. A key that holds one
// of . [ ] " stands in double quotes; no path names a key with a quote in it.
//
//   user.name   authors[].age   grid[0][1]   "first.name".short
//
// Thread safety: a value; distinct objects are independent.
class JsonPath {
 public:
  enum class StepKind { key, element, every_element };

  struct Step {
    StepKind kind = StepKind::key;
    std::string key{};
    std::uint32_t index = 0;
    auto operator<=>(const Step&) const = default;
  };

  //   invalid_argument: not a path, or one of more than kMaxJsonDepth steps,
  //   which no payload is deep enough for.
  static Result<JsonPath> parse(std::string_view text);

  const std::vector<Step>& steps() const { return steps_; }

  // Whether it can name more than one value of a payload.
  bool names_many() const;

  // The same path, going on into every element.
  JsonPath of_elements() const;

  // Appends the values that the path names inside `root`. A key names nothing
  // in an array, and an element nothing in an object.
  void collect(const JsonValue& root, std::vector<JsonValue>* values) const;

  auto operator<=>(const JsonPath&) const = default;

 private:
  std::vector<Step> steps_;
};

}  // namespace lamina
