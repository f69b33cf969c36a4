#pragma once

#include <optional>
#include <string>

#include "lamina/filter.h"
#include "lamina/result.h"

namespace lamina::tool {

// The filter of a command line: JSON as docs/http-api.md has it, read as the
// server reads it. All points match when there is none.
Result<Filter> parse_filter(const std::optional<std::string>& text);

}  // namespace lamina::tool
