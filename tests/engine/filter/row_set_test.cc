#include "search/row_set.h"

#include <doctest/doctest.h>

#include <vector>

namespace lamina::search {
namespace {

std::vector<std::size_t> rows_of(const RowSet& set) {
  std::vector<std::size_t> rows;
  set.for_each([&](std::size_t row) { rows.push_back(row); });
  return rows;
}

TEST_CASE("bits behind the last row stay zero") {
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 130u}) {
    CHECK(RowSet::all(size).count() == size);
    CHECK(RowSet(size).complement() == RowSet::all(size));
    CHECK(RowSet::all(size).complement().count() == 0);
    CHECK(rows_of(RowSet::all(size)).size() == size);
  }
}

TEST_CASE("sets intersect, unite and subtract row by row") {
  RowSet twos(130);
  RowSet threes(130);
  for (std::size_t row = 0; row < 130; ++row) {
    if (row % 2 == 0) twos.insert(row);
    if (row % 3 == 0) threes.insert(row);
  }
  RowSet both = twos;
  both &= threes;
  RowSet either = twos;
  either |= threes;
  RowSet only_twos = twos;
  only_twos -= threes;
  for (std::size_t row = 0; row < 130; ++row) {
    CHECK(both.contains(row) == (row % 6 == 0));
    CHECK(either.contains(row) == (row % 2 == 0 || row % 3 == 0));
    CHECK(only_twos.contains(row) == (row % 2 == 0 && row % 3 != 0));
  }
  both.remove(126);
  CHECK(rows_of(both).back() == 120);
}

}  // namespace
}  // namespace lamina::search
