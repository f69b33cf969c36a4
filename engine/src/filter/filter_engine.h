#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "filter/column_cache.h"
#include "lamina/filter.h"
#include "lamina/options.h"
#include "lamina/payload.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "rows/row_table.h"
#include "search/row_set.h"

namespace lamina::filter {

struct Matching {
  search::RowSet rows;
  // How they were found, the costliest way of all conditions: "all", "ids",
  // "index", "column", "payload".
  std::string_view plan;
};

// Answers which rows of a table match a filter, from columns of typed values
// that it keeps up with every write (ColumnCache). A path whose column would be
// too large is answered from the payloads, slowly.
//
// The caller tells it of every write to the rows, right behind it. Thread
// safety: matching() may run concurrently with itself; all else excludes
// everything, as with the rows.
class FilterEngine {
 public:
  static constexpr std::size_t kMaxColumnBytes = 256u << 20;

  explicit FilterEngine(std::size_t max_column_bytes = kMaxColumnBytes)
      : columns_(max_column_bytes) {}

  // The row has this payload now. `row` is at most the number of rows that
  // there were.
  void put(rows::Row row, const Payload& payload) {
    columns_.put(row, payload);
  }
  // The row is gone, and what was the last row has taken its place.
  void erase(rows::Row row) { columns_.erase(row); }
  // Forgets everything, the indexes too.
  void clear() { columns_.clear(); }

  // An index that makes filters on the path faster once set_index() has it. May
  // run beside matching().
  //   invalid_argument: not a path, or more than ColumnCache::kMaxIndexes.
  using NewIndex = ColumnCache::NewIndex;
  Result<NewIndex> make_index(std::string_view key, PayloadIndexType type,
                              const rows::RowTable& rows) const {
    return columns_.make_index(key, type, rows);
  }
  // An index of another type on the path is replaced.
  void set_index(NewIndex index) { columns_.set_index(std::move(index)); }
  // Both.
  Status create_index(std::string_view key, PayloadIndexType type,
                      const rows::RowTable& rows);
  // False when there is none.
  bool drop_index(std::string_view key) { return columns_.drop_index(key); }
  // By path.
  std::vector<PayloadIndexInfo> indexes() const { return columns_.indexes(); }

  // Which rows match; all of them when the filter is empty.
  //   invalid_argument: what validate_filter() says.
  Result<Matching> matching(const Filter& filter,
                            const rows::RowTable& rows) const;

 private:
  ColumnCache columns_;
};

}  // namespace lamina::filter
