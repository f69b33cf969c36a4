#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

// Vectors to bytes, with a bound on what that takes away. docs/exact-search.md
// derives the bounds.
namespace lamina::kernels {

// What is known of a vector v after quantising it: v = scale * codes + rest.
struct Quantized {
  float scale = 0.0f;
  float norm = 0.0f;      // >= |scale * codes|
  float residual = 0.0f;  // >= |v - scale * codes|
  double square = 0.0;    // |v|^2, to the rounding of a sum in double
};

// Quantises v to v.count codes in -127..127.
Quantized quantize(const Shifted& v, std::int8_t* codes);

// Quantises v = values - center on a grid that rows share: scale is `step`, and
// what lies beyond 127 steps is left in the rest. Norm and residual bound sums
// of magnitudes, not lengths; square stays 0.
Quantized quantize_on_grid(const float* values, std::size_t dimension,
                           const float* center, float step, std::int8_t* codes);

// max |values - center|
double largest_magnitude(const float* values, std::size_t dimension,
                         const float* center);

// The smallest float that is not below `value`, but for overflow to infinity.
float round_up(double value);

}  // namespace lamina::kernels
