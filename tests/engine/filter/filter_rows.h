#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "filter/filter_engine.h"
#include "lamina/filter.h"
#include "rows/row_table.h"

namespace lamina::test {

// Rows with the given payloads and ids 0, 1, 2, ..., and an engine that knows
// of them.
class FilterRows {
 public:
  explicit FilterRows(
      std::initializer_list<std::string_view> payloads = {},
      std::size_t max_column_bytes = filter::FilterEngine::kMaxColumnBytes);

  void put(const PointId& id, std::string_view payload);
  void erase(const PointId& id);

  // The ids that match, ascending, numbers only.
  std::vector<std::uint64_t> ids(const Filter& filter) const;
  std::string_view plan(const Filter& filter) const;
  Result<filter::Matching> matching(const Filter& filter) const;

  filter::FilterEngine& engine() { return engine_; }
  const rows::RowTable& rows() const { return rows_; }

 private:
  rows::RowTable rows_;
  filter::FilterEngine engine_;
};

}  // namespace lamina::test
