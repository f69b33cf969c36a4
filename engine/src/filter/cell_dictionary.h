#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "filter/cell.h"

namespace lamina::filter {

using Code = std::uint32_t;

// The different cells of a column, numbered. A cell that is no longer used
// keeps its number, until the column starts a new dictionary.
//
// Movable. Thread safety: const calls may run concurrently.
class CellDictionary {
 public:
  CellDictionary();

  // The code of an equal cell; a new one when there is none.
  Code intern(const Cell& cell);
  std::optional<Code> find(const Cell& cell) const;

  // By code.
  std::span<const Cell> cells() const { return cells_; }
  std::size_t size() const { return cells_.size(); }

  // Whether any cell is a list or many.
  bool has_composites() const { return has_composites_; }

  // Memory it takes, about.
  std::size_t bytes() const;

 private:
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;
  std::size_t referred_bytes_ = 0;
  std::vector<Cell> cells_;
  std::unordered_map<Cell, Code, CellHash, CellEqual> code_of_;
  bool has_composites_ = false;
};

}  // namespace lamina::filter
