#include "filter/cell_dictionary.h"

namespace lamina::filter {

CellDictionary::CellDictionary()
    : memory_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

Code CellDictionary::intern(const Cell& cell) {
  const auto known = code_of_.find(cell);
  if (known != code_of_.end()) return known->second;
  const auto code = static_cast<Code>(cells_.size());
  cells_.push_back(copy_cell(cell, memory_.get()));
  code_of_.emplace(cells_.back(), code);
  referred_bytes_ += referred_bytes(cell);
  has_composites_ = has_composites_ || cell.is_composite();
  return code;
}

std::optional<Code> CellDictionary::find(const Cell& cell) const {
  const auto known = code_of_.find(cell);
  if (known == code_of_.end()) return std::nullopt;
  return known->second;
}

std::size_t CellDictionary::bytes() const {
  // An entry of the map: the cell, its code, its hash and two pointers.
  constexpr std::size_t kEntryBytes = sizeof(Cell) + 4 * sizeof(void*);
  return referred_bytes_ + cells_.size() * (sizeof(Cell) + kEntryBytes);
}

}  // namespace lamina::filter
