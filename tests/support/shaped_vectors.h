#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/random_points.h"

namespace lamina::test {

// A vector of a kind that is hard for a quantised scan.
inline std::vector<float> hard_vector(Random* random, std::size_t dimension) {
  std::vector<float> values = random->vector(dimension);
  switch (random->below(8)) {
    case 0:  // Huge dynamic range.
      for (float& value : values) {
        value *= std::ldexp(1.0f, static_cast<int>(random->below(120)) - 60);
      }
      break;
    case 1:  // One dominant component.
      values[random->below(dimension)] = 1000.0f;
      break;
    case 2:  // Constant offset: euclid cancels.
      for (float& value : values) value = 1000.0f + value * 1e-3f;
      break;
    case 3:  // Near ties.
      for (float& value : values) value = 0.5f;
      values[random->below(dimension)] += 1e-6f;
      break;
    case 4:  // Denormals.
      for (float& value : values) value *= 1e-40f;
      values[0] = 1e-39f;
      break;
    case 5:  // Duplicates.
      std::fill(values.begin(), values.end(), -0.25f);
      break;
    case 6:  // Very large.
      for (float& value : values) value *= 1e38f;
      values[0] = 2e38f;
      break;
    default:  // Negative zero, mostly.
      std::fill(values.begin(), values.end(), -0.0f);
      values[random->below(dimension)] = 1.0f;
  }
  return values;
}

// A vector that leans on a few directions, as embeddings do.
inline std::vector<float> leaning_vector(Random* random,
                                         std::size_t dimension) {
  std::vector<float> vector = random->vector(dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    vector[j] *= 3.0f / static_cast<float>(1 + j) + 0.02f;
  }
  return vector;
}

}  // namespace lamina::test
