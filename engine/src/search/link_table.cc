#include "search/link_table.h"

#include <algorithm>
#include <limits>

namespace lamina::search {
namespace {

// SplitMix64: spreads a number's bits over all 64.
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

}  // namespace

LinkTable::LinkTable(std::size_t m, std::size_t capacity)
    : m_(m), capacity_(capacity) {
  first_upper_list_.reserve(capacity + 1);
  std::uint32_t lists = 0;
  for (std::size_t node = 0; node < capacity; ++node) {
    first_upper_list_.push_back(lists);
    lists += static_cast<std::uint32_t>(level(static_cast<Node>(node)));
  }
  first_upper_list_.push_back(lists);
  ground_ = rows::make_aligned_array<std::int32_t>(capacity * 2 * m);
  upper_ = rows::make_aligned_array<std::int32_t>(lists * m);
  std::ranges::fill(ground_places(capacity), kNoNode);
  std::ranges::fill(upper_places(capacity), kNoNode);
}

LinkTable::LinkTable(const LinkTable& smaller, std::size_t count,
                     std::size_t capacity)
    : LinkTable(smaller.m_, capacity) {
  std::ranges::copy(smaller.ground_places(count), ground_.get());
  std::ranges::copy(smaller.upper_places(count), upper_.get());
}

int LinkTable::level(Node node) const {
  const std::uint64_t lot = mixed(node);
  std::uint64_t bound = std::numeric_limits<std::uint64_t>::max() / m_;
  int level = 0;
  for (; lot < bound; bound /= m_) ++level;
  return level;
}

}  // namespace lamina::search
