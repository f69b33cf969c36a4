#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"

// Vectors as text: base64 of their little-endian float32 values, as embedding
// services return them. Internal to the protocol.
namespace lamina::protocol {

// Appends the values. The standard alphabet, padded.
//   invalid_argument: another alphabet, a wrong length, or no whole number of
//   values; `path` names the text.
Status read_base64_floats(std::string_view text, std::string_view path,
                          std::vector<float>* values);

}  // namespace lamina::protocol
