#pragma once

#include <cstddef>
#include <cstdint>

#include "lamina/status.h"

namespace lamina::io {

// How a number lies in a data file; all little-endian.
enum class Element { float16, float32, float64, int8, uint8, int32 };

std::size_t element_bytes(Element element);

// IEEE 754 binary16 to binary32: every half is a float, so this is exact.
float widen_half(std::uint16_t half);

// Reads `count` numbers as float32. A double is rounded to the nearest; one
// that is too large becomes infinite, which no collection takes.
//   invalid_argument: an integer that no float32 equals.
Status read_elements(Element element, const char* bytes, std::size_t count,
                     float* values);

}  // namespace lamina::io
