#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "filter/cell.h"
#include "filter/cell_dictionary.h"
#include "filter/cell_test.h"
#include "lamina/options.h"

namespace lamina::filter {

// Whether an element of a cell is of the kind that an index of `type` is about.
bool is_indexed(const Cell& element, PayloadIndexType type);

// Finds the codes of a dictionary whose cells may pass a test without looking
// at all of them: elements in order, or for text, the strings that hold each
// three bytes.
//
// Thread safety: const calls may run concurrently.
class ValueIndex {
 public:
  explicit ValueIndex(PayloadIndexType type) : type_(type) {}

  PayloadIndexType type() const { return type_; }

  // The cell must live as long as the index.
  void add(Code code, const Cell& cell);

  // All codes that pass the test, and perhaps others; some may come twice.
  // Nothing when the index cannot tell, or would give more than `most`.
  std::optional<std::vector<Code>> candidates(const CellTest& test,
                                              std::size_t most) const;

  std::size_t bytes() const;

 private:
  using Sorted = std::multimap<Cell, Code, CellLess>;
  using Trigram = std::uint32_t;

  void add_element(Code code, const Cell& element);

  PayloadIndexType type_;
  Sorted sorted_;  // Times stand in it as their microseconds.
  std::unordered_map<Trigram, std::vector<Code>> codes_with_;
  std::size_t trigram_entries_ = 0;
};

}  // namespace lamina::filter
