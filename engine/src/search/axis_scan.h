#pragma once

#include <cstddef>
#include <span>

#include "search/flat_scan.h"

namespace lamina::search {

// As many queries as keep the bounds of a segment in the second cache.
inline constexpr std::size_t kQueriesPerAxisPass = 8;

// Whether axis_scan() answers: the table's rows are coded along axes, and the
// answer is few of them.
bool fits_axis_scan(const rows::RowView& table, RowRange range,
                    const FlatQuery& query);

// flat_scan() in two stages. The first bounds every row by its coordinates
// along a few axes; the most promising rows are scored, which gives a threshold
// close to the final one; and only rows whose bound reaches it are looked at
// by their whole codes. For at most kQueriesPerAxisPass queries that all fit.
void axis_scan(const rows::RowView& table, RowRange range,
               std::span<FlatQuery> queries, const kernels::KernelSet& kernels);

}  // namespace lamina::search
