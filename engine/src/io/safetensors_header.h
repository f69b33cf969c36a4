#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"
#include "lamina/options.h"

// The header of a safetensors file, held against the file's size.
namespace lamina::io {

// One entry of the header; its bytes lie within the file.
struct SafeTensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;  // Offsets in the file.
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafeTensor> tensors;  // In the order of their bytes.
  std::optional<Metric> metric;

  // Null when there is none.
  const SafeTensor* find(std::string_view name) const {
    const auto found = std::find_if(
        tensors.begin(), tensors.end(),
        [&](const SafeTensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
  }
};

// Bytes of one element; 0 for a type that none of our tensors may have.
std::size_t dtype_bytes(std::string_view dtype);

//   invalid_argument: no such file, a tensor that is none of ours, or bytes
//   that belong to no tensor or to two.
Result<SafetensorsHeader> read_safetensors_header(InputFile& file);

}  // namespace lamina::io
