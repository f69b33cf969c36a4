#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "filter/column.h"
#include "lamina/limits.h"
#include "lamina/options.h"
#include "lamina/payload.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "rows/row_table.h"
#include "types/json_path.h"

namespace lamina::filter {

// The columns of a collection, by path: built when a filter first asks, and
// kept up with every write. Those of payload indexes stay; of the others, the
// ones asked for last, within kMaxColumns and a number of bytes.
//
// Thread safety: find() may run concurrently with itself; all else excludes
// everything, as with the rows.
class ColumnCache {
 public:
  // Each column costs time on every write.
  static constexpr std::size_t kMaxColumns = 32;
  static constexpr std::size_t kMaxIndexes = kMaxPayloadIndexes;

  explicit ColumnCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // The column of a path. Null when it would take more than the bytes there
  // are.
  std::shared_ptr<const Column> find(const JsonPath& path,
                                     const rows::RowTable& rows) const;

  void put(rows::Row row, const Payload& payload);
  void erase(rows::Row row);
  void clear();

  // An index, which set_index() puts in place. Making one only reads the rows,
  // and so needs no more than that these stay as they are.
  struct NewIndex {
    JsonPath path;
    std::string key;
    std::shared_ptr<Column> column;
  };
  Result<NewIndex> make_index(std::string_view key, PayloadIndexType type,
                              const rows::RowTable& rows) const;
  void set_index(NewIndex index);
  bool drop_index(std::string_view key);
  std::vector<PayloadIndexInfo> indexes() const;

 private:
  struct Entry {
    std::string index_key;  // As the caller wrote it; empty without an index.
    std::shared_ptr<Column> column;  // Null until it is built.
    std::size_t bytes = 0;           // Of the column.
    std::uint64_t last_use = 0;
    std::mutex building;
    // Rows there were when the column was found too large; under `building`.
    std::size_t too_many_rows = 0;

    bool is_index() const { return !index_key.empty(); }
  };
  using Entries = std::map<JsonPath, std::shared_ptr<Entry>>;

  // The three below expect the mutex to be held.
  std::shared_ptr<Entry> entry_for(const JsonPath& path) const;
  // Drops columns until the rest is within the bounds.
  void limit() const;
  Entries::iterator least_recently_used() const;

  const std::size_t max_bytes_;
  mutable std::mutex mutex_;  // Of the map and its entries.
  mutable Entries entries_;
  mutable std::uint64_t use_ = 0;
};

}  // namespace lamina::filter
