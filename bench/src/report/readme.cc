#include "report/readme.h"

#include "report/sections.h"

namespace lamina::bench {
namespace {

// The reader of a README wants the cost, not the accounting of CPU time.
Table short_layer_table(const BenchResult& result) {
  Table table = layer_table(result);
  const auto drop_cpu_columns = [](std::vector<std::string>& row) {
    row.erase(row.begin() + 6, row.begin() + 9);
  };
  drop_cpu_columns(table.headers);
  for (std::vector<std::string>& row : table.rows) drop_cpu_columns(row);
  return table;
}

}  // namespace

Result<std::string> replace_layers(std::string_view text,
                                   const BenchResult& result) {
  const auto begin = text.find(kLayersBegin);
  const auto end = text.find(kLayersEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos ||
      end < begin || begin != text.rfind(kLayersBegin) ||
      end != text.rfind(kLayersEnd)) {
    return Status::invalid_argument(
        "the text does not hold the markers " + std::string(kLayersBegin) +
        " and " + std::string(kLayersEnd) + ", each once and in order");
  }
  std::string replaced(text.substr(0, begin + kLayersBegin.size()));
  replaced += "\n" + headline(result) + " Measured " +
              result.run.started_utc.substr(0, 10) + " on " +
              fact(result.environment, "cpu.model") + ", " +
              controls_line(result) + ".\n\n" +
              table_to_markdown(short_layer_table(result));
  return replaced.append(text.substr(end));
}

}  // namespace lamina::bench
