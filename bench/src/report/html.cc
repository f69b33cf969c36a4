#include "report/html.h"

namespace lamina::bench {
namespace {

// Colours of data are those of Okabe and Ito, which colour-blind readers tell
// apart.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark;
  --page: #ffffff; --ink: #1a1a1a; --soft: #5c5c5c; --line: #d9d9d9;
  --band: #e9e9e9; --fill: #f6f6f6;
  --blue: #0072b2; --orange: #e69f00; --green: #009e73; --sky: #56b4e9;
  --red: #d55e00; --pink: #cc79a7; --grey: #b3b3b3; }
@media (prefers-color-scheme: dark) { :root {
  --page: #16181b; --ink: #ececec; --soft: #a8a8a8; --line: #3a3d42;
  --band: #2c2f34; --fill: #1f2226;
  --blue: #4aa3dc; --grey: #6b6f76; } }
body { background: var(--page); color: var(--ink); margin: 0 auto;
  max-width: 1080px; padding: 1.5rem 1rem 4rem;
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
.lead { font-size: 1.1rem; font-weight: 600; }
.soft { color: var(--soft); }
.warn { border-left: 4px solid var(--red); padding-left: .7rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .84rem; margin: .5rem 0; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line);
  text-align: left; vertical-align: top; }
th { font-weight: 600; color: var(--soft); border-bottom-width: 2px; }
td.n { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
td:first-child { white-space: nowrap; }
tbody tr:hover { background: var(--fill); }
svg { display: block; width: 100%; min-width: 640px; height: auto;
  margin: .8rem 0; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg text.soft { fill: var(--soft); }
svg .axis { stroke: var(--line); stroke-width: 1; }
svg .zero { stroke: var(--soft); stroke-width: 1; }
svg .whisker { stroke: var(--ink); stroke-width: 1.4; }
svg .band { fill: var(--band); }
)";

constexpr std::string_view kTitle = "What each layer of Lamina costs";

std::string section_html(const Section& section) {
  std::string html = "<h2>" + escape_html(section.title) + "</h2>\n";
  if (!section.text.empty())
    html += "<p>" + escape_html(section.text) + "</p>\n";
  for (const std::string& chart : section.charts)
    html += "<div class=\"wide\">" + chart + "</div>\n";
  if (!section.table.empty()) html += table_to_html(section.table);
  return html;
}

}  // namespace

std::string html_page(std::string_view title, std::string_view lead,
                      const std::vector<Section>& sections) {
  const std::string name = escape_html(title);
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>" +
      name + "</title>\n<style>";
  html.append(kStyle).append("</style>\n</head>\n<body>\n<h1>");
  html.append(name).append("</h1>\n").append(lead);
  for (const Section& section : sections) html += section_html(section);
  return html + "</body>\n</html>\n";
}

std::string to_html(const BenchResult& result,
                    const std::vector<Section>& more) {
  std::string lead =
      "<p class=\"lead\">" + escape_html(headline(result)) +
      "</p>\n<p class=\"soft\">" + escape_html(controls_line(result)) + "<br>" +
      escape_html(result.run.started_utc) + ", " +
      escape_html(fact(result.environment, "cpu.model")) + ", kernels " +
      escape_html(fact(result.environment, "cpu.kernels_in_use")) +
      ", placement " + escape_html(result.design.placement) + ", " +
      escape_html(fact(result.environment, "build.type")) + " build</p>\n";
  for (const std::string& warning : result.warnings)
    lead += "<p class=\"warn\">" + escape_html(warning) + "</p>\n";
  std::vector<Section> all = sections(result);
  all.insert(all.end(), more.begin(), more.end());
  return html_page(kTitle, lead, all);
}

}  // namespace lamina::bench
