#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace lamina::search {

inline constexpr float kNoThreshold = -std::numeric_limits<float>::infinity();

// Keeps the k largest lower bounds seen; the smallest of them is a threshold
// that no row of the answer can be below.
class LowerBounds {
 public:
  void begin(std::size_t k, float threshold);

  float threshold() const { return threshold_; }

  // Each row once.
  void add(float bound);

 private:
  std::size_t k_ = 0;
  float threshold_ = kNoThreshold;
  std::vector<float> heap_;
};

}  // namespace lamina::search
