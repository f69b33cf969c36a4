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

// Element j of values - center.
double shifted(const float* values, const float* center, std::size_t j) {
  const double value = values[j];
  return center == nullptr ? value : value - double{center[j]};
}

// Clamped, as a grid is not made for every value.
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

Quantized quantize(const Shifted& v, std::int8_t* codes) {
  const KernelSet& kernels = active();
  const Extent extent = kernels.extent(v);
  // As a float, because that is what the scan multiplies with; the residual is
  // taken against this very value, so its rounding costs no exactness.
  const auto scale = static_cast<float>(extent.largest / 127.0);
  const CodeSquares squares = kernels.encode(v, scale, codes);
  // |center| <= |v| + |input|.
  const double inputs =
      2.0 * std::sqrt(extent.input_square) + std::sqrt(extent.square);
  return {scale, round_up(double{scale} * std::sqrt(squares.codes) * kSumSlack),
          round_up(std::sqrt(squares.rest) * kSumSlack + inputs * kInputSlack),
          extent.square};
}

double largest_magnitude(const float* values, std::size_t dimension,
                         const float* center) {
  double largest = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    largest = std::max(largest, std::fabs(shifted(values, center, j)));
  }
  return largest;
}

Quantized quantize_on_grid(const float* values, std::size_t dimension,
                           const float* center, float step,
                           std::int8_t* codes) {
  const double inverse = step > 0.0f ? 1.0 / double{step} : 0.0;
  double norm = 0.0;
  double residual = 0.0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const double value = shifted(values, center, j);
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
