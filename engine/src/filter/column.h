#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "filter/cell.h"
#include "filter/cell_dictionary.h"
#include "filter/cell_test.h"
#include "filter/row_lists.h"
#include "filter/value_index.h"
#include "lamina/options.h"
#include "rows/row_table.h"
#include "search/row_set.h"
#include "types/json_path.h"
#include "types/json_reader.h"

namespace lamina::filter {

// What one path names in the payload of every row. Each row has the code of its
// cell in a dictionary, so that a test looks at each different cell once, and
// then only compares codes.
//
// Thread safety: const calls may run concurrently; writes exclude everything.
class Column {
 public:
  explicit Column(JsonPath path) : path_(std::move(path)) {}

  std::size_t size() const { return codes_.size(); }  // Rows.

  // `row` is at most size(); `root` is the row's payload.
  void put(rows::Row row, const JsonValue& root);
  // The last row takes the place of `row`.
  void erase(rows::Row row);

  // Rows whose cell passes. Sets `used_index` when an index found them.
  search::RowSet matching(const CellTest& test, bool* used_index) const;

  // At most one index; the newest.
  void create_index(PayloadIndexType type);
  void drop_index();
  std::optional<PayloadIndexType> index_type() const;
  // Rows with a value of the index's type.
  std::uint64_t indexed_rows() const;

  // Memory it takes, about.
  std::size_t bytes() const;

 private:
  struct Index {
    explicit Index(PayloadIndexType type) : values(type) {}
    ValueIndex values;
    RowLists rows;
  };

  void set(rows::Row row, Code code);
  void unset(rows::Row row);
  void count_unused(Code code);
  void compact();
  std::optional<search::RowSet> from_index(const CellTest& test) const;
  search::RowSet rows_of(Code code) const;
  search::RowSet rows_of(const std::vector<Cell>& cells) const;
  search::RowSet rows_where(const std::vector<std::uint8_t>& code_holds) const;

  JsonPath path_;
  CellDictionary dictionary_;
  std::vector<Code> codes_;               // By row.
  std::vector<std::uint32_t> row_count_;  // By code.
  std::size_t unused_codes_ = 0;
  std::size_t unused_bytes_ = 0;  // That their cells refer to.
  std::optional<Index> index_;
};

}  // namespace lamina::filter
