#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lamina::bench {

struct RowScore {
  std::size_t row;
  float score;
};

// What one writes around a BLAS: the `k` largest scores, best first, equal ones
// by ascending row.
void select_best(std::span<const float> scores, std::size_t k,
                 std::vector<RowScore>* best);

// Scales to length 1. Zero stays zero.
void normalise(std::span<float> vector);

}  // namespace lamina::bench
