#pragma once

#include <optional>
#include <string_view>

#include "lamina/options.h"

namespace lamina::io {

// The reverse of to_string(Metric); nothing for another word.
inline std::optional<Metric> metric_named(std::string_view name) {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    if (to_string(metric) == name) return metric;
  }
  return std::nullopt;
}

}  // namespace lamina::io
