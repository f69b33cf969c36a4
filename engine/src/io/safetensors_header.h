#pragma once

#include <optional>
#include <string_view>

#include "io/input_file.h"
#include "lamina/options.h"
#include "types/safetensors_header.h"

// The header of a safetensors file, held against the file's size.
namespace lamina::io {

struct SafetensorsHeader {
  // Offsets are those in the file.
  SafetensorsLayout layout;
  std::optional<Metric> metric;

  // Null when there is none.
  const SafeTensor* find(std::string_view name) const {
    return layout.find(name);
  }
};

//   invalid_argument: no such file, a tensor that is none of ours, or bytes
//   that belong to no tensor or to two.
Result<SafetensorsHeader> read_safetensors_header(InputFile& file);

}  // namespace lamina::io
