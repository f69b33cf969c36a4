#include "search/lower_bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lamina::search {

void LowerBounds::begin(std::size_t k, float threshold) {
  k_ = k;
  threshold_ = threshold;
  heap_.clear();
}

void LowerBounds::add(float bound) {
  // What is beyond float bounds nothing.
  if (!(std::fabs(bound) <= std::numeric_limits<float>::max())) {
    bound = kNoThreshold;
  }
  if (heap_.size() == k_) {
    if (!(bound > heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.back() = bound;
  } else {
    heap_.push_back(bound);
  }
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  if (heap_.size() == k_) threshold_ = std::max(threshold_, heap_.front());
}

}  // namespace lamina::search
