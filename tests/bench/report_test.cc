#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "report/html.h"
#include "report/markdown.h"
#include "report/numbers.h"
#include "report/readme.h"
#include "report/sections.h"
#include "sample_result.h"

using lamina::bench::BenchResult;
using lamina::bench::Contrast;
using lamina::bench::kLayersBegin;
using lamina::bench::kLayersEnd;
using lamina::bench::microseconds;
using lamina::bench::percentile_text;
using lamina::bench::replace_layers;
using lamina::bench::sample_result;
using lamina::bench::Section;
using lamina::bench::sections;
using lamina::bench::to_html;
using lamina::bench::to_markdown;
using lamina::bench::verdict;

namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

std::string page_with(std::string_view between) {
  return "before\n" + std::string(kLayersBegin) + std::string(between) +
         std::string(kLayersEnd) + "\nafter\n";
}

}  // namespace

TEST_CASE("microseconds have three figures or the whole number") {
  CHECK(microseconds(1234.0) == "1.23");
  CHECK(microseconds(12'345.0) == "12.3");
  CHECK(microseconds(1'234'567.0) == "1235");
}

TEST_CASE("a percentile that the samples cannot carry is not printed") {
  CHECK(percentile_text(std::nullopt, 192) == "n/a (n=192)");
  CHECK(percentile_text(12'300, 400) == "12.3");
}

TEST_CASE("a verdict is words: resolved, or a bound, or why there is none") {
  BenchResult result = sample_result();
  Contrast contrast = *result.contrast("L5-L4");
  CHECK(verdict(contrast, result) == "resolved");
  contrast.resolved = false;
  contrast.interval = {-1'500.0, 2'500.0, 0.95};
  CHECK(verdict(contrast, result) == "not resolved (|d| < 2.50 us)");
  contrast.interval.reset();
  CHECK(verdict(contrast, result) == "no interval (R=6)");
  result.controls[0].pass = false;
  CHECK(verdict(contrast, result) == "unproven");
}

TEST_CASE("the Markdown report shows the layers with steps and intervals") {
  const std::string text = to_markdown(sample_result());
  CHECK(text.find("| L5 raw HTTP |") != std::string::npos);
  CHECK(text.find("| +20.0 | [20.0, 20.0] |") != std::string::npos);
  CHECK(text.find("## Not measured") != std::string::npos);
  CHECK(text.find("| the moon | too far |") != std::string::npos);
  CHECK(text.find("(\\|d\\|") == std::string::npos);  // All are resolved here.
}

TEST_CASE("the HTML report is whole in itself") {
  const std::string html = to_html(sample_result());
  for (const char* outside : {"<script", "src=", "href=", "@import", "url("})
    CHECK_MESSAGE(html.find(outside) == std::string::npos, outside);
  CHECK(html.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(count_of(html, "<svg") == 5);
  CHECK(count_of(html, "<svg") == count_of(html, "</svg>"));
  CHECK(count_of(html, "<table") == count_of(html, "</table>"));
}

TEST_CASE("text from outside is escaped in the HTML report") {
  const std::string html = to_html(sample_result());
  CHECK(html.find("A &lt;CPU&gt; &amp; more") != std::string::npos);
  CHECK(html.find("A <CPU>") == std::string::npos);
}

TEST_CASE("no chart holds a number that is not finite") {
  const std::string html = to_html(sample_result());
  CHECK(html.find("=\"nan") == std::string::npos);
  CHECK(html.find("=\"-nan") == std::string::npos);
  CHECK(html.find("=\"inf") == std::string::npos);
}

TEST_CASE("every chart is followed by its table") {
  for (const Section& section : sections(sample_result())) {
    if (section.charts.empty()) continue;
    CHECK_MESSAGE(!section.table.empty(), section.title);
  }
}

TEST_CASE("the layer table goes between the markers and nowhere else") {
  const auto text = replace_layers(page_with(" old "), sample_result());
  REQUIRE(text.ok());
  CHECK(text->starts_with("before\n"));
  CHECK(text->ends_with("\nafter\n"));
  CHECK(text->find(" old ") == std::string::npos);
  CHECK(text->find("| L7 sync client |") != std::string::npos);
  const auto again = replace_layers(*text, sample_result());
  REQUIRE(again.ok());
  CHECK(*again == *text);
}

TEST_CASE("a text without the two markers in order is refused") {
  const std::string begin(kLayersBegin);
  const std::string end(kLayersEnd);
  for (const std::string& text :
       {std::string("none"), begin, end, end + begin, begin + begin + end})
    CHECK_FALSE(replace_layers(text, sample_result()).ok());
}
