#include "kernels/quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lamina::kernels {
namespace {

// The sums below are of at most 65,536 squares in double: their relative error
// stays under 65,536 * 2^-53, about 7e-12.
constexpr double kSumSlack = 1.0 + 1e-11;

// factor * values[j] is rounded, and factor may itself be 1 / |values|: a few
// units in the last place of a double, relative to the vector's length.
constexpr double kFactorSlack = 1e-14;

float largest_magnitude(const float* values, std::size_t dimension) {
  float largest = 0.0f;
  for (std::size_t j = 0; j < dimension; ++j) {
    largest = std::max(largest, std::fabs(values[j]));
  }
  return largest;
}

}  // namespace

float round_up(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) >= value) return nearest;
  return std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

Quantized quantize(const float* values, std::size_t dimension, double factor,
                   std::int8_t* codes) {
  const double largest = double{largest_magnitude(values, dimension)} * factor;
  // As a float, because that is what the scan multiplies with; the residual is
  // taken against this very value, so its rounding costs no exactness.
  const auto scale = static_cast<float>(largest / 127.0);
  const double inverse = scale > 0.0f ? 1.0 / double{scale} : 0.0;
  double code_squares = 0.0;
  double rest_squares = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const double value = double{values[j]} * factor;
    const double steps =
        std::clamp(value * inverse, -127.0, 127.0);  // Scale was rounded.
    const auto code = static_cast<int>(steps + std::copysign(0.5, steps));
    const double rest = value - double{scale} * code;
    codes[j] = static_cast<std::int8_t>(code);
    code_squares += static_cast<double>(code) * code;
    rest_squares += rest * rest;
  }
  std::fill(codes + dimension, codes + padded(dimension), std::int8_t{0});
  const double norm = double{scale} * std::sqrt(code_squares);
  const double rest = std::sqrt(rest_squares);
  return {scale, round_up(norm * kSumSlack),
          round_up(rest * kSumSlack + (norm + rest) * kFactorSlack)};
}

}  // namespace lamina::kernels
