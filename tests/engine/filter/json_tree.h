#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A JSON value as the naive evaluator of the filter tests sees it. Owes nothing
// to the readers of the engine: trees are made up here and printed as text.
namespace lamina::test {

struct JsonTree {
  enum class Kind { null, boolean, integer, real, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0.0;
  std::string text{};  // A string; or a number's digits.
  std::vector<JsonTree> elements{};
  std::vector<std::pair<std::string, JsonTree>> members{};

  bool is(Kind other) const { return kind == other; }
};

std::string to_text(const JsonTree& tree);

struct TreeStep {
  enum class Kind { key, element, every_element };
  Kind kind = Kind::key;
  std::string key{};
  std::size_t index = 0;
};
using TreePath = std::vector<TreeStep>;

std::string to_text(const TreePath& path);

std::vector<const JsonTree*> values_at(const JsonTree& root,
                                       const TreePath& path);

}  // namespace lamina::test
