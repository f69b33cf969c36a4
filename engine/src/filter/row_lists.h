#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "filter/cell_dictionary.h"
#include "rows/row_table.h"

namespace lamina::filter {

// The rows of each code, as linked lists through arrays by row: adding and
// removing a row takes constant time, and a list of rows no memory of its own.
//
// Thread safety: const calls may run concurrently.
class RowLists {
 public:
  void add(rows::Row row, Code code) {
    if (code >= first_.size()) first_.resize(code + 1, kNone);
    if (row >= links_.size()) links_.resize(row + 1);
    const rows::Row next = first_[code];
    links_[row] = {.next = next, .previous = kNone};
    if (next != kNone) links_[next].previous = row;
    first_[code] = row;
  }

  void remove(rows::Row row, Code code) {
    const Link link = links_[row];
    if (link.next != kNone) links_[link.next].previous = link.previous;
    if (link.previous != kNone) {
      links_[link.previous].next = link.next;
    } else {
      first_[code] = link.next;
    }
  }

  // Calls visit(row) for each row of the code, in no order.
  template <class Visit>
  void for_each(Code code, const Visit& visit) const {
    if (code >= first_.size()) return;
    for (rows::Row row = first_[code]; row != kNone; row = links_[row].next) {
      visit(row);
    }
  }

  std::size_t bytes() const {
    return first_.size() * sizeof(rows::Row) + links_.size() * sizeof(Link);
  }

 private:
  static constexpr rows::Row kNone = std::numeric_limits<rows::Row>::max();

  struct Link {
    rows::Row next = kNone;
    rows::Row previous = kNone;
  };

  std::vector<rows::Row> first_;  // By code.
  std::vector<Link> links_;       // By row.
};

}  // namespace lamina::filter
