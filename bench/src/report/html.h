#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "report/sections.h"

namespace lamina::bench {

// The whole report as one HTML file that loads nothing: no script, no font, no
// image from elsewhere. Light and dark as the reader's system is set.
// `more` follows the sections of the result.
std::string to_html(const BenchResult& result,
                    const std::vector<Section>& more = {});

// Such a page of any sections. `lead` is HTML that stands above them.
std::string html_page(std::string_view title, std::string_view lead,
                      const std::vector<Section>& sections);

}  // namespace lamina::bench
