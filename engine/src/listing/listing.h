#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/results.h"
#include "rows/row_table.h"
#include "search/row_set.h"

// Answers that come from payloads and ids alone, without a vector.
//
// In all of them `matching` is the rows to look at; null stands for all.
namespace lamina::listing {

// The first `count` rows whose id is at least `first`, by id.
std::vector<rows::Row> rows_by_id(const rows::RowTable& table,
                                  const search::RowSet* matching,
                                  const PointId& first, std::uint64_t count);

struct OrderedRow {
  rows::Row row;
  where::Number value;  // A time is its microseconds since 1970.
};

// The first `count` values in the order asked for. The order must have passed
// validate_scroll_options().
std::vector<OrderedRow> rows_by_value(const rows::RowTable& table,
                                      const search::RowSet* matching,
                                      const OrderBy& order,
                                      std::uint64_t count);

// Counts the values at a path; the arguments must have passed validate_facet().
std::vector<FacetHit> facet(const rows::RowTable& table,
                            const search::RowSet* matching,
                            std::string_view key, std::uint64_t limit);

}  // namespace lamina::listing
