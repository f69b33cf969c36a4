#include "report/storage.h"

#include <cstdio>

#include "report/table.h"

namespace lamina::bench {
namespace {

std::string figure_text(double value) {
  char text[32];
  const char* pattern = value < 10.0 ? "%.2f" : value < 100.0 ? "%.1f" : "%.0f";
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string bound_text(const StorageFigure& figure) {
  if (figure.at_most) return "at most " + figure_text(*figure.at_most);
  if (figure.at_least) return "at least " + figure_text(*figure.at_least);
  return "";
}

std::string verdict_text(const StorageFigure& figure) {
  if (!figure.at_most && !figure.at_least) return "";
  return figure.holds() ? "yes" : "no";
}

Table figure_table(const StorageResult& result) {
  Table table{{"what", "measured", "unit", "wanted", "holds"}, {}};
  for (const StorageFigure& figure : result.figures) {
    table.rows.push_back({figure.name, figure_text(figure.value), figure.unit,
                          bound_text(figure), verdict_text(figure)});
  }
  return table;
}

std::string run_line(const StorageResult& result) {
  return "machine " + result.run.verdict + "; " + result.run.started_utc +
         ", " + fact(result.environment, "cpu.model") + ", " + result.run.mode +
         " run of " + figure_text(result.run.wall_s) + " s";
}

}  // namespace

std::string storage_console_report(const StorageResult& result) {
  return table_to_text(figure_table(result)) + run_line(result) + "\n";
}

std::string storage_to_markdown(const StorageResult& result) {
  return table_to_markdown(figure_table(result)) +
         "\nRun: " + run_line(result) + ".\n";
}

}  // namespace lamina::bench
