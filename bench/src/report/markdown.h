#pragma once

#include <string>

#include "core/result.h"

namespace lamina::bench {

// The whole report as Markdown, without the pictures.
std::string to_markdown(const BenchResult& result);

}  // namespace lamina::bench
