#pragma once

#include <span>

#include "rows/row_table.h"
#include "search/flat_scan.h"
#include "search/row_set.h"

namespace lamina::search {

// Finds for each query the min(k, matching) best of some rows, by scoring every
// one of them.
void set_scan(const rows::RowTable& table, const RowSet& matching,
              std::span<FlatQuery> queries);

}  // namespace lamina::search
