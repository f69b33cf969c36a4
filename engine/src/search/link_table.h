#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rows/aligned_array.h"
#include "search/node_codes.h"

namespace lamina::search {

// The links of a graph: per node and level a list with a fixed number of
// places, ended early by kNoNode. Nothing moves or grows, so that threads may
// read lists while another writes them.
//
// Which level a node reaches follows from its number alone, as if drawn by lot:
// each level holds 1 in `m` nodes of the one below.
//
// Thread safety: reads may run beside writes; a list has one writer. A reader
// that meets the writer sees old and new neighbours mixed, each of them one
// that was stored.
class LinkTable {
 public:
  static constexpr std::int32_t kNoNode = -1;

  // A list, its places read and written as atomics. Who reads a node sees all
  // that was written before the node was stored.
  class List {
   public:
    List(std::int32_t* places, std::size_t capacity)
        : places_(places), capacity_(capacity) {}

    std::size_t capacity() const { return capacity_; }

    std::int32_t get(std::size_t place) const {
      return std::atomic_ref(places_[place]).load(std::memory_order_acquire);
    }
    void set(std::size_t place, std::int32_t node) const {
      std::atomic_ref(places_[place]).store(node, std::memory_order_release);
    }
    void prefetch() const {
      constexpr std::size_t kPlacesPerLine =
          rows::kCacheLineBytes / sizeof(std::int32_t);
      for (std::size_t place = 0; place < capacity_; place += kPlacesPerLine) {
        __builtin_prefetch(places_ + place);
      }
    }

   private:
    std::int32_t* places_;
    std::size_t capacity_;
  };

  // Room for `capacity` nodes with `m` links on each level, but 2 * m on level
  // 0, where all nodes are.
  LinkTable(std::size_t m, std::size_t capacity);

  // A copy of the first `count` nodes with more room.
  LinkTable(const LinkTable& smaller, std::size_t count, std::size_t capacity);

  std::size_t capacity() const { return capacity_; }
  int level(Node node) const;

  List links(Node node, int level) const {
    if (level == 0) return {ground_.get() + node * 2 * m_, 2 * m_};
    const std::size_t list =
        first_upper_list_[node] + static_cast<std::size_t>(level - 1);
    return {upper_.get() + list * m_, m_};
  }

  // The lists of the first `count` nodes, one behind the other: for files.
  std::span<std::int32_t> ground_places(std::size_t count) const {
    return {ground_.get(), count * 2 * m_};
  }
  std::span<std::int32_t> upper_places(std::size_t count) const {
    return {upper_.get(), first_upper_list_[count] * m_};
  }

 private:
  std::size_t m_;
  std::size_t capacity_;
  rows::AlignedArray<std::int32_t> ground_;
  rows::AlignedArray<std::int32_t> upper_;
  // Of each node, and the number of all behind the last.
  std::vector<std::uint32_t> first_upper_list_;
};

}  // namespace lamina::search
