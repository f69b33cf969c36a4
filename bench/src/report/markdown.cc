#include "report/markdown.h"

#include "report/sections.h"

namespace lamina::bench {

std::string to_markdown(const BenchResult& result) {
  std::string text = "# What each layer of Lamina costs\n\n**" +
                     headline(result) + "**\n\n" + controls_line(result) + "\n";
  for (const std::string& warning : result.warnings)
    text += "\nWarning: " + warning + "\n";
  for (const Section& section : sections(result)) {
    if (section.table.empty()) continue;
    text += "\n## " + section.title + "\n\n";
    if (!section.text.empty()) text += section.text + "\n\n";
    text += table_to_markdown(section.table);
  }
  return text;
}

}  // namespace lamina::bench
