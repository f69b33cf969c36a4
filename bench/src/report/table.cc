#include "report/table.h"

#include <algorithm>

namespace lamina::bench {
namespace {

std::string escape_markdown(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells)
    row += " " + escape_markdown(cell) + " |";
  return row + "\n";
}

// Characters, not bytes: UTF-8 continuation bytes do not count.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& header : table.headers)
    widths.push_back(width(header));
  for (const std::vector<std::string>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  }
  return widths;
}

std::string text_row(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string gap(widths[i] - width(cells[i]), ' ');
    line += is_figure(cells[i]) ? gap + cells[i] : cells[i] + gap;
    line += "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

bool is_figure(std::string_view cell) {
  if (cell.starts_with('[')) return true;
  return !cell.empty() &&
         cell.find_first_not_of("+-.0123456789 %") == std::string_view::npos;
}

std::string table_to_text(const Table& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::string text = text_row(table.headers, widths);
  std::size_t total = 0;
  for (std::size_t column : widths) total += column + 2;
  text += std::string(total - 2, '-') + "\n";
  for (const std::vector<std::string>& row : table.rows)
    text += text_row(row, widths);
  return text;
}

std::string table_to_markdown(const Table& table) {
  std::string text = markdown_row(table.headers) + "|";
  for (std::size_t i = 0; i < table.headers.size(); ++i) {
    const bool figures =
        i > 0 && std::any_of(table.rows.begin(), table.rows.end(),
                             [i](const std::vector<std::string>& row) {
                               return is_figure(row[i]);
                             });
    text += figures ? "---:|" : "---|";
  }
  text += "\n";
  for (const std::vector<std::string>& row : table.rows)
    text += markdown_row(row);
  return text;
}

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string table_to_html(const Table& table) {
  std::string html = "<div class=\"wide\"><table><thead><tr>";
  for (const std::string& header : table.headers)
    html += "<th>" + escape_html(header) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (const std::string& cell : row) {
      html += is_figure(cell) ? "<td class=\"n\">" : "<td>";
      html += escape_html(cell) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace lamina::bench
