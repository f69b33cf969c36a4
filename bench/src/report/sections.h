#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "report/table.h"

namespace lamina::bench {

// A part of the report: words, pictures, and the figures behind them.
struct Section {
  std::string title;
  std::string text;
  std::vector<std::string> charts;  // SVG
  Table table;
};

// The result in one sentence.
std::string headline(const BenchResult& result);

// How far the run can be trusted, in one line.
std::string controls_line(const BenchResult& result);

// The ladder from the kernel to the client: the table that README shows.
Table layer_table(const BenchResult& result);

// Everything, in the order in which the questions come up.
std::vector<Section> sections(const BenchResult& result);

// What is printed at the end of a run.
std::string console_report(const BenchResult& result);

}  // namespace lamina::bench
