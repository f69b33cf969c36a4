#include "kernels/quantize.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace lamina::kernels {
namespace {

// The sums below are of at most 65,536 squares in double: their relative error
// stays under 65,536 * 2^-53, about 7e-12.
constexpr double kSumSlack = 1.0 + 1e-11;

// factor * values[j] - center[j] is rounded, and factor may itself be
// 1 / |values|: a few units in the last place of a double, relative to the two
// lengths.
constexpr double kInputSlack = 1e-14;

// Element j of v.
struct Shifted {
  const float* values;
  double factor;
  const float* center;

  double operator[](std::size_t j) const {
    const double scaled = double{values[j]} * factor;
    return center == nullptr ? scaled : scaled - double{center[j]};
  }
};

// Clamped, as a scale may be rounded down, and a grid is not made for every
// value.
int nearest_code(double steps) {
  const double clamped = std::clamp(steps, -127.0, 127.0);
  return static_cast<int>(clamped + std::copysign(0.5, clamped));
}

}  // namespace

float round_up(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) >= value) return nearest;
  return std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

Quantized quantize(const float* values, std::size_t dimension, double factor,
                   const float* center, std::int8_t* codes) {
  const Shifted shifted = {values, factor, center};
  double largest = 0.0;
  double square = 0.0;
  double input_square = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const double value = shifted[j];
    const double input = double{values[j]} * factor;
    largest = std::max(largest, std::fabs(value));
    square += value * value;
    input_square += input * input;
  }
  // As a float, because that is what the scan multiplies with; the residual is
  // taken against this very value, so its rounding costs no exactness.
  const auto scale = static_cast<float>(largest / 127.0);
  const double inverse = scale > 0.0f ? 1.0 / double{scale} : 0.0;
  double code_square = 0.0;
  double rest_square = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const double value = shifted[j];
    const int code = nearest_code(value * inverse);
    const double rest = value - double{scale} * code;
    codes[j] = static_cast<std::int8_t>(code);
    code_square += static_cast<double>(code) * code;
    rest_square += rest * rest;
  }
  std::fill(codes + dimension, codes + padded(dimension), std::int8_t{0});
  // |center| <= |v| + |input|.
  const double inputs = 2.0 * std::sqrt(input_square) + std::sqrt(square);
  return {scale, round_up(double{scale} * std::sqrt(code_square) * kSumSlack),
          round_up(std::sqrt(rest_square) * kSumSlack + inputs * kInputSlack),
          square};
}

double largest_magnitude(const float* values, std::size_t dimension,
                         const float* center) {
  const Shifted shifted = {values, 1.0, center};
  double largest = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    largest = std::max(largest, std::fabs(shifted[j]));
  }
  return largest;
}

Quantized quantize_on_grid(const float* values, std::size_t dimension,
                           const float* center, float step,
                           std::int8_t* codes) {
  const Shifted shifted = {values, 1.0, center};
  const double inverse = step > 0.0f ? 1.0 / double{step} : 0.0;
  double norm = 0.0;
  double residual = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const double value = shifted[j];
    const int code = nearest_code(value * inverse);
    codes[j] = static_cast<std::int8_t>(code);
    norm += double{step} * std::abs(code);
    residual += std::fabs(value - double{step} * code);
  }
  std::fill(codes + dimension, codes + padded(dimension), std::int8_t{0});
  return {step, round_up(norm * kSumSlack), round_up(residual * kSumSlack),
          0.0};
}

}  // namespace lamina::kernels
