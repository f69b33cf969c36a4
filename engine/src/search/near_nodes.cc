#include "search/near_nodes.h"

#include <algorithm>

namespace lamina::search {

void NearNodes::add(NearNode node) {
  if (nodes_.size() == capacity_) {
    if (!(node < nodes_.back())) return;
    nodes_.pop_back();
  }
  const auto at = std::upper_bound(nodes_.begin(), nodes_.end(), node);
  const auto place = static_cast<std::size_t>(at - nodes_.begin());
  nodes_.insert(at, node);
  next_ = std::min(next_, place);
}

const NearNode* NearNodes::follow_next() {
  if (next_ == nodes_.size()) return nullptr;
  NearNode* node = &nodes_[next_];
  node->set_followed();
  while (next_ < nodes_.size() && nodes_[next_].followed()) ++next_;
  return node;
}

}  // namespace lamina::search
