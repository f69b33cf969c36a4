#pragma once

#include <span>

#include "rows/row_view.h"
#include "search/flat_scan.h"
#include "search/row_set.h"

namespace lamina::search {

// flat_scan() for the rows of `matching` alone, in the way that costs least:
// few rows are scored, some are looked at one by one, and where many match all
// are scanned and the others passed over. On up to `threads` threads.
void set_scan(const rows::RowView& table, const RowSet& matching,
              std::span<FlatQuery> queries, std::size_t threads);

}  // namespace lamina::search
