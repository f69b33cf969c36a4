#include "report/markdown.h"

namespace lamina::bench {

std::string sections_to_markdown(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    if (section.table.empty()) continue;
    text += "\n## " + section.title + "\n\n";
    if (!section.text.empty()) text += section.text + "\n\n";
    text += table_to_markdown(section.table);
  }
  return text;
}

std::string to_markdown(const BenchResult& result,
                        const std::vector<Section>& more) {
  std::string text = "# What each layer of Lamina costs\n\n**" +
                     headline(result) + "**\n\n" + controls_line(result) + "\n";
  for (const std::string& warning : result.warnings)
    text += "\nWarning: " + warning + "\n";
  return text + sections_to_markdown(sections(result)) +
         sections_to_markdown(more);
}

}  // namespace lamina::bench
