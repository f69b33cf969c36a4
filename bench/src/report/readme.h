#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace lamina::bench {

inline constexpr std::string_view kLayersBegin = "<!-- lamina-bench:layers -->";
inline constexpr std::string_view kLayersEnd = "<!-- /lamina-bench:layers -->";

// `text` with the layer table of `result` between the two markers.
//   invalid_argument: the markers are not there, each once and in order.
Result<std::string> replace_layers(std::string_view text,
                                   const BenchResult& result);

}  // namespace lamina::bench
