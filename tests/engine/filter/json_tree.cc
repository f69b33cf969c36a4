#include "engine/filter/json_tree.h"

namespace lamina::test {
namespace {

// Spells one letter as an escape, so that strings differ from their text.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == 'r') {
      out += "\\u0072";
    } else {
      out += c;
    }
  }
  return out + '"';
}

template <class List, class Print>
std::string joined(const List& list, const Print& print) {
  std::string out;
  for (const auto& item : list) {
    if (!out.empty()) out += ',';
    out += print(item);
  }
  return out;
}

bool needs_quotes(std::string_view key) {
  return key.find_first_of(".[]") != key.npos;
}

}  // namespace

std::string to_text(const JsonTree& tree) {
  switch (tree.kind) {
    case JsonTree::Kind::null:
      return "null";
    case JsonTree::Kind::boolean:
      return tree.boolean ? "true" : "false";
    case JsonTree::Kind::integer:
    case JsonTree::Kind::real:
      return tree.text;
    case JsonTree::Kind::string:
      return quoted(tree.text);
    case JsonTree::Kind::array:
      return "[" +
             joined(tree.elements,
                    [](const JsonTree& element) { return to_text(element); }) +
             "]";
    case JsonTree::Kind::object:
      break;
  }
  return "{" +
         joined(tree.members,
                [](const auto& member) {
                  return quoted(member.first) + ":" + to_text(member.second);
                }) +
         "}";
}

std::string to_text(const TreePath& path) {
  std::string out;
  for (const TreeStep& step : path) {
    switch (step.kind) {
      case TreeStep::Kind::key:
        if (!out.empty()) out += '.';
        out += needs_quotes(step.key) ? '"' + step.key + '"' : step.key;
        break;
      case TreeStep::Kind::element:
        out += '[' + std::to_string(step.index) + ']';
        break;
      case TreeStep::Kind::every_element:
        out += "[]";
    }
  }
  return out;
}

std::vector<const JsonTree*> values_at(const JsonTree& root,
                                       const TreePath& path) {
  std::vector<const JsonTree*> values = {&root};
  for (const TreeStep& step : path) {
    std::vector<const JsonTree*> next;
    for (const JsonTree* value : values) {
      if (step.kind == TreeStep::Kind::key) {
        for (const auto& [key, member] : value->members) {
          if (key == step.key) next.push_back(&member);
        }
        continue;
      }
      for (std::size_t i = 0; i < value->elements.size(); ++i) {
        if (step.kind == TreeStep::Kind::every_element || step.index == i) {
          next.push_back(&value->elements[i]);
        }
      }
    }
    values = std::move(next);
  }
  return values;
}

}  // namespace lamina::test
