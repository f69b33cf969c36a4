#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "report/sections.h"

namespace lamina::bench {

// The whole report as Markdown, without the pictures.
// `more` follows the sections of the result.
std::string to_markdown(const BenchResult& result,
                        const std::vector<Section>& more = {});

// Sections that have figures, each under a heading.
std::string sections_to_markdown(const std::vector<Section>& sections);

}  // namespace lamina::bench
