#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/node_codes.h"

namespace lamina::search {

// Which nodes a walk has met. Forgetting them costs nothing, but for one pass
// in 255; the memory stays for the next walk, over whichever graph.
class VisitedNodes {
 public:
  void begin(std::size_t node_count) {
    if (marks_.size() < node_count) marks_.resize(node_count, 0);
    if (++walk_ == 0) {
      std::fill(marks_.begin(), marks_.end(), std::uint8_t{0});
      walk_ = 1;
    }
  }

  // True the first time.
  bool insert(Node node) {
    if (marks_[node] == walk_) return false;
    marks_[node] = walk_;
    return true;
  }

 private:
  std::uint8_t walk_ = 0;
  std::vector<std::uint8_t> marks_;
};

}  // namespace lamina::search
