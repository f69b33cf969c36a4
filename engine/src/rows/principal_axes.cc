#include "rows/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/kernels.h"

namespace lamina::rows {
namespace {

// Enough for axes to hold as much as the true ones to a percent.
constexpr int kRounds = 6;

Samples zeros(std::size_t count, std::size_t stride) {
  return {std::vector<float>(count * stride, 0.0f), count, stride};
}

Samples covariance(const Samples& samples, std::size_t dimension) {
  const kernels::KernelSet& kernels = kernels::active();
  Samples sums = zeros(dimension, samples.stride);
  for (std::size_t i = 0; i < samples.count; ++i) {
    for (std::size_t j = 0; j < dimension; ++j) {
      kernels.add_scaled(samples[i][j], samples[i], sums[j], samples.stride);
    }
  }
  return sums;
}

// Numbers between -1 and 1, the same each time (splitmix64).
class Noise {
 public:
  float operator()() {
    std::uint64_t bits = (state_ += 0x9e3779b97f4a7c15u);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return static_cast<float>(static_cast<double>(bits >> 11) * 0x1p-52 - 1.0);
  }

 private:
  std::uint64_t state_ = 1;
};

void fill_with_noise(Samples* axes, std::size_t i, std::size_t dimension,
                     Noise* noise) {
  float* axis = (*axes)[i];
  for (std::size_t j = 0; j < dimension; ++j) axis[j] = (*noise)();
  std::fill(axis + dimension, axis + axes->stride, 0.0f);
}

double length_of(const float* axis, std::size_t stride) {
  return std::sqrt(kernels::active().dot(axis, axis, stride));
}

// Takes from axis `i` what lies along those before it. Twice, as the first time
// leaves rounding behind. Returns the part of its length that is left.
double make_orthogonal(Samples* axes, std::size_t i) {
  const kernels::KernelSet& kernels = kernels::active();
  float* axis = (*axes)[i];
  const double before = length_of(axis, axes->stride);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t other = 0; other < i; ++other) {
      const double along = kernels.dot(axis, (*axes)[other], axes->stride);
      kernels.add_scaled(static_cast<float>(-along), (*axes)[other], axis,
                         axes->stride);
    }
  }
  const double after = length_of(axis, axes->stride);
  return before > 0.0 ? after / before : 0.0;
}

void orthonormalize(Samples* axes, std::size_t dimension, Noise* noise) {
  for (std::size_t i = 0; i < axes->count; ++i) {
    float* axis = (*axes)[i];
    // Where the samples fill fewer directions than asked, or overflow, any
    // other will do.
    while (!(make_orthogonal(axes, i) > 1e-5)) {
      fill_with_noise(axes, i, dimension, noise);
    }
    const double factor = 1.0 / length_of(axis, axes->stride);
    for (std::size_t j = 0; j < axes->stride; ++j) {
      axis[j] = static_cast<float>(axis[j] * factor);
    }
  }
}

Samples multiply(const Samples& axes, const Samples& matrix) {
  Samples product = zeros(axes.count, axes.stride);
  for (std::size_t i = 0; i < axes.count; ++i) {
    for (std::size_t j = 0; j < matrix.count; ++j) {
      kernels::active().add_scaled(axes[i][j], matrix[j], product[i],
                                   axes.stride);
    }
  }
  return product;
}

}  // namespace

Samples principal_axes(const Samples& samples, std::size_t dimension,
                       std::size_t axis_count) {
  const Samples spread = covariance(samples, dimension);
  Samples axes = zeros(axis_count, samples.stride);
  Noise noise;
  for (std::size_t i = 0; i < axis_count; ++i) {
    fill_with_noise(&axes, i, dimension, &noise);
  }
  orthonormalize(&axes, dimension, &noise);
  for (int round = 0; round < kRounds; ++round) {
    axes = multiply(axes, spread);
    orthonormalize(&axes, dimension, &noise);
  }
  return axes;
}

}  // namespace lamina::rows
