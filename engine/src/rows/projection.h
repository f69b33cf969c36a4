#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rows/aligned_array.h"
#include "rows/principal_axes.h"

namespace lamina::rows {

// What is known of a vector y after coding its coordinates along the axes P:
// y = P^T (scale * codes) + r. Every bound includes every rounding;
// docs/exact-search.md derives them.
struct AxisCoded {
  float scale = 0.0f;
  double norm = 0.0;      // >= |scale * codes|
  double residual = 0.0;  // >= |P r|, but for `rounding`
  double rounding = 0.0;  // >= what computing P y in float may have cost
  double rest = 0.0;      // >= |r|
  double square = 0.0;    // |y|^2, to the rounding of a sum in double
};

// A mean and a few axes, on which vectors are cast to look at the greater part
// of them first. Immutable, so threads may share one.
class Projection {
 public:
  // `mean` holds axes.stride values. The axes are rounded to 16 bits, which
  // halves what a query must read; they need not be at right angles exactly, as
  // how far they are from it is part of every bound.
  Projection(std::vector<float> mean, const Samples& axes,
             std::size_t dimension);

  std::size_t axis_count() const { return axis_count_; }
  std::size_t stride() const { return stride_; }
  // stride() values.
  const float* mean() const { return mean_.data(); }
  double mean_length() const { return mean_length_; }

  // Codes y = factor * values - mean, or factor * values when not
  // `from_the_mean`, into kernels::padded(axis_count()) codes. `values` holds
  // stride() values.
  AxisCoded code(const float* values, double factor, bool from_the_mean,
                 std::int8_t* codes) const;

  // Its matrix alone: `out` becomes axis_count() coordinates.
  void coordinates(const float* values, float* out) const;

 private:
  void round_axis(std::size_t i, const float* axis);
  double distance_from_orthonormal() const;

  std::size_t dimension_;
  std::size_t stride_;
  std::size_t axis_count_;
  std::vector<float> mean_;
  double mean_length_;
  AlignedArray<std::int16_t> axes_;
  std::vector<float> units_;  // Of each axis: a power of two.
  double skew_ = 0.0;         // >= |P P^T - I|
};

}  // namespace lamina::rows
