#include "exposition.h"

#include <charconv>

namespace lamina::server {
namespace {

// The three characters that mean something between quotes.
void append_escaped(std::string_view value, std::string* text) {
  for (const char c : value) {
    if (c == '\n') {
      *text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') *text += '\\';
    *text += c;
  }
}

}  // namespace

void Exposition::begin(std::string_view name, std::string_view type,
                       std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help);
  text_.append("\n# TYPE ").append(name).append(" ").append(type);
  text_.append("\n");
}

void Exposition::add(Labels labels, std::uint64_t value,
                     std::string_view suffix) {
  add_line(labels, std::to_string(value), suffix);
}

void Exposition::add(Labels labels, double value, std::string_view suffix) {
  add_line(labels, decimal(value), suffix);
}

void Exposition::add_line(Labels labels, std::string_view value,
                          std::string_view suffix) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const auto& [name, label] : labels) {
    text_ += before;
    text_.append(name).append("=\"");
    append_escaped(label, &text_);
    text_ += '"';
    before = ',';
  }
  if (before == ',') text_ += '}';
  text_.append(" ").append(value).append("\n");
}

std::string decimal(double value) {
  char digits[400];
  const auto written = std::to_chars(std::begin(digits), std::end(digits),
                                     value, std::chars_format::fixed);
  return {digits, written.ptr};
}

}  // namespace lamina::server
