#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"

// The JSON header of the safetensors layout, in which files and messages hold
// tensors: where each lies in the bytes behind the header.
namespace lamina {

// The header's entry under which texts stand, rather than a tensor.
inline constexpr std::string_view kSafetensorsMetadata = "__metadata__";

struct SafeTensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;  // Offsets in the data, which hold shape and dtype.
  std::uint64_t end = 0;
};

struct SafetensorsLayout {
  std::vector<SafeTensor> tensors;  // In the order of their bytes.
  std::map<std::string, std::string, std::less<>> metadata;

  // Null when there is none.
  const SafeTensor* find(std::string_view name) const;
};

// Bytes of one element; 0 for a type that none of our tensors may have.
std::size_t dtype_bytes(std::string_view dtype);

// Reads a header that stands before `data_bytes` bytes of data.
//   invalid_argument: not such a header, or bytes that belong to no tensor or
//   to two.
Result<SafetensorsLayout> parse_safetensors_header(std::string_view json,
                                                   std::uint64_t data_bytes);

}  // namespace lamina
