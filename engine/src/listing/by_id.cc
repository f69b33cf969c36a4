#include <algorithm>

#include "listing/listing.h"

namespace lamina::listing {
namespace {

std::vector<rows::Row> all_by_id(const rows::RowTable& table,
                                 const PointId& first, std::uint64_t count) {
  std::vector<rows::Row> rows;
  const auto& by_id = table.by_id();
  for (auto next = by_id.lower_bound(first);
       next != by_id.end() && rows.size() < count; ++next) {
    rows.push_back(next->second);
  }
  return rows;
}

}  // namespace

std::vector<rows::Row> rows_by_id(const rows::RowTable& table,
                                  const search::RowSet* matching,
                                  const PointId& first, std::uint64_t count) {
  if (matching == nullptr) return all_by_id(table, first, count);
  std::vector<rows::Row> rows;
  matching->for_each([&](std::size_t set_row) {
    const auto row = static_cast<rows::Row>(set_row);
    if (table.id(row) >= first) rows.push_back(row);
  });
  const auto end =
      rows.begin() +
      static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, rows.size()));
  std::partial_sort(
      rows.begin(), end, rows.end(),
      [&](rows::Row a, rows::Row b) { return table.id(a) < table.id(b); });
  rows.erase(end, rows.end());
  return rows;
}

}  // namespace lamina::listing
