#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lamina::bench {

// Cells of text; what a report shows, whatever it is written in. The first
// column names the row, the others are set to the right when they are numbers.
struct Table {
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;

  bool empty() const { return rows.empty(); }
};

// Whether a cell reads as a figure rather than as words.
bool is_figure(std::string_view cell);

std::string table_to_text(const Table& table);      // Aligned, for a terminal
std::string table_to_markdown(const Table& table);  // "|" in cells is escaped
std::string table_to_html(const Table& table);

// `text` with &, <, > and quotes replaced.
std::string escape_html(std::string_view text);

}  // namespace lamina::bench
