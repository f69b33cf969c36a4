#include "rows/projection.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.h"
#include "kernels/quantize.h"

namespace lamina::rows {
namespace {

// Of sums of at most 65,536 squares in double, and of what is made of them.
constexpr double kSumSlack = 1e-11;

// What products that underflow can lose.
constexpr double kUnderflowSlack = 0x1p-119;

// factor * values - center, rounded to float.
void shift(const float* values, double factor, const float* center,
           std::span<float> out) {
  for (std::size_t j = 0; j < out.size(); ++j) {
    const double value = double{values[j]} * factor;
    out[j] = static_cast<float>(center == nullptr ? value
                                                  : value - double{center[j]});
  }
}

}  // namespace

Projection::Projection(std::vector<float> mean, const Samples& axes,
                       std::size_t dimension)
    : dimension_(dimension),
      stride_(axes.stride),
      axis_count_(axes.count),
      mean_(std::move(mean)),
      mean_length_(std::sqrt(
          kernels::active().dot(mean_.data(), mean_.data(), stride_))),
      axes_(make_aligned_array<std::int16_t>(axes.count * axes.stride)),
      units_(axes.count) {
  for (std::size_t i = 0; i < axis_count_; ++i) round_axis(i, axes[i]);
  skew_ = distance_from_orthonormal();
}

// To the finest power of two of which 32,767 reach the largest value, so that
// multiplying with it costs no rounding.
void Projection::round_axis(std::size_t i, const float* axis) {
  float largest = 0.0f;
  for (std::size_t j = 0; j < stride_; ++j) {
    largest = std::max(largest, std::fabs(axis[j]));
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  units_[i] = std::ldexp(1.0f, exponent - 15);
  for (std::size_t j = 0; j < stride_; ++j) {
    const float units = std::round(axis[j] / units_[i]);
    axes_[i * stride_ + j] =
        static_cast<std::int16_t>(std::clamp(units, -32767.0f, 32767.0f));
  }
}

// The Frobenius norm of P P^T - I, which is at least its greatest stretch.
double Projection::distance_from_orthonormal() const {
  Samples exact = {std::vector<float>(axis_count_ * stride_), axis_count_,
                   stride_};
  for (std::size_t i = 0; i < axis_count_ * stride_; ++i) {
    exact.values[i] = static_cast<float>(axes_[i]) * units_[i / stride_];
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < axis_count_; ++i) {
    for (std::size_t other = 0; other <= i; ++other) {
      const double product =
          kernels::active().dot(exact[i], exact[other], stride_);
      const double off = product - (i == other ? 1.0 : 0.0);
      sum += (i == other ? 1.0 : 2.0) * off * off;
    }
  }
  return std::sqrt(sum) * (1.0 + kSumSlack) + kSumSlack;
}

void Projection::coordinates(const float* values, float* out) const {
  kernels::active().project(axes_.get(), axis_count_, stride_, values, out);
  for (std::size_t i = 0; i < axis_count_; ++i) out[i] *= units_[i];
}

AxisCoded Projection::code(const float* values, double factor,
                           bool from_the_mean, std::int8_t* codes) const {
  const float* center = from_the_mean ? mean_.data() : nullptr;
  thread_local std::vector<float> shifted;
  thread_local std::vector<float> along;
  shifted.resize(stride_);
  along.assign(kernels::padded(axis_count_), 0.0f);
  shift(values, factor, center, shifted);
  coordinates(shifted.data(), along.data());
  const kernels::Quantized quantized =
      kernels::quantize({along.data(), along.size(), 1.0, nullptr}, codes);

  const kernels::Extent extent =
      kernels::active().extent({values, stride_, factor, center});
  const double square = extent.square;
  const double length = std::sqrt(square);
  const double inputs = length + std::sqrt(extent.input_square);
  const auto terms = static_cast<double>(dimension_ + 8);
  AxisCoded coded = {
      .scale = quantized.scale, .norm = quantized.norm, .square = square};
  coded.rounding = std::sqrt(static_cast<double>(axis_count_)) * terms *
                       0x1p-24 * 1.01 * (1.0 + skew_) * length +
                   kSumSlack * inputs + kUnderflowSlack;
  coded.residual = quantized.residual + skew_ * coded.norm;
  const double rest_square =
      square - quantized.square + std::pow(quantized.residual, 2) +
      skew_ * std::pow(coded.norm, 2) + 2.0 * coded.rounding * coded.norm +
      kSumSlack * std::pow(inputs, 2);
  coded.rest = std::sqrt(std::max(rest_square, 0.0)) * (1.0 + kSumSlack) +
               kUnderflowSlack;
  return coded;
}

}  // namespace lamina::rows
