#pragma once

#include <cstddef>
#include <vector>

namespace lamina::rows {

// Vectors of `stride` values each, one behind the other; what is beyond a
// vector's dimension is zero. `stride` is a multiple of kernels::kRowAlignment.
struct Samples {
  std::vector<float> values;
  std::size_t count = 0;
  std::size_t stride = 0;

  const float* operator[](std::size_t i) const {
    return values.data() + i * stride;
  }
  float* operator[](std::size_t i) { return values.data() + i * stride; }
};

// The directions in which `samples`, which must have no mean, spread most:
// `axis_count` unit vectors at right angles to rounding, strongest first, by a
// few rounds of subspace iteration on the covariance (Golub and Van Loan,
// Matrix Computations, section 7.3). Same samples, same axes on one kernel set.
//
// Cost: samples * stride^2 + 4 * axis_count * stride^2 multiplications.
Samples principal_axes(const Samples& samples, std::size_t dimension,
                       std::size_t axis_count);

}  // namespace lamina::rows
