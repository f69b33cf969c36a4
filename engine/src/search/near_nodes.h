#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/node_codes.h"

namespace lamina::search {

// A node and its distance in one number that sorts by distance, then by node;
// the lowest bit marks those whose links have been followed.
//
// Nodes are below 2^31.
class NearNode {
 public:
  NearNode(float distance, Node node)
      : key_(std::uint64_t{ordered(distance)} << 32 | node << 1) {}

  Node node() const { return static_cast<Node>(key_) >> 1; }
  float distance() const { return unordered(key_ >> 32); }
  bool followed() const { return (key_ & 1) != 0; }
  void set_followed() { key_ |= 1; }

  bool operator<(const NearNode& other) const { return key_ < other.key_; }

 private:
  static constexpr std::uint32_t kSign = 0x80000000u;

  // Floats as unsigned numbers of the same order.
  static std::uint32_t ordered(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  static float unordered(std::uint64_t key) {
    const auto bits = static_cast<std::uint32_t>(key);
    return std::bit_cast<float>((bits & kSign) != 0 ? bits ^ kSign : ~bits);
  }

  std::uint64_t key_;
};

// The nearest nodes met on a walk, nearest first, and which of them it has to
// follow next. Keeps its memory.
class NearNodes {
 public:
  void begin(std::size_t capacity) {
    capacity_ = capacity;
    nodes_.clear();
    nodes_.reserve(capacity);
    next_ = 0;
  }

  // Drops what is farther than all when there is no room.
  void add(NearNode node);

  // The nearest node that was not followed, marked so; null when none is left.
  const NearNode* follow_next();
  // What follow_next() would return now.
  const NearNode* peek() const {
    return next_ < nodes_.size() ? &nodes_[next_] : nullptr;
  }

  const std::vector<NearNode>& nodes() const { return nodes_; }

 private:
  std::size_t capacity_ = 0;
  std::size_t next_ = 0;  // All before it were followed.
  std::vector<NearNode> nodes_;
};

}  // namespace lamina::search
