#pragma once

#include <string>

#include "core/result.h"

namespace lamina::bench {

// The whole report as one HTML file that loads nothing: no script, no font, no
// image from elsewhere. Light and dark as the reader's system is set.
std::string to_html(const BenchResult& result);

}  // namespace lamina::bench
