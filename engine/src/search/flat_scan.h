#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "rows/row_view.h"
#include "search/row_set.h"

namespace lamina::search {

struct ScoredRow {
  double score;  // The metric's value.
  rows::Row row;
};

// What a scan did, so that its exactness can be seen.
struct FlatScanStats {
  std::size_t rows_scanned = 0;
  // Rows whose whole code was read: those that a first stage left, or all.
  std::size_t rows_refined = 0;
  // Rows whose bound could not exclude them, each scored again in double.
  std::size_t rows_rescored = 0;
  // Whether the rows' principal axes were looked at first.
  bool along_axes = false;
  // A graph chose the rows, not a scan.
  bool by_graph = false;
};

// A query and its answer.
struct FlatQuery {
  // Must have passed validate_vector().
  VectorView vector;
  std::size_t k = 0;
  // Rows that score worse may be left out; the caller still looks.
  std::optional<float> score_threshold{};
  // Rows to look for; null stands for all.
  const RowSet* matching = nullptr;
  // Becomes the best rows: best score first, equal scores by ascending id.
  std::vector<ScoredRow> best{};
  FlatScanStats stats{};
};

// Rows [begin, end).
struct RowRange {
  rows::Row begin = 0;
  rows::Row end = 0;
};

// Finds for each query the min(k, matching rows) best rows of a range that
// begins and ends at a chunk's border or the table's end. Exact: the scan over
// the codes only rules rows out, by bounds on the error of its estimate
// (docs/exact-search.md). The answer is the same, bit for bit, with every
// kernel set, alone or among other queries.
//
// Cost: reads the range's codes once, `dimension` bytes a row, for up to
// kQueriesPerPass queries. Allocates only when the thread's scratch or `best`
// grows.
void flat_scan(const rows::RowView& table, RowRange range,
               std::span<FlatQuery> queries,
               const kernels::KernelSet& kernels = kernels::active());

inline constexpr std::size_t kQueriesPerPass = 32;

// The same over the whole table, on up to `threads` threads including the
// caller's: by queries when there are enough of them, else by rows.
void parallel_flat_scan(const rows::RowView& table,
                        std::span<FlatQuery> queries, std::size_t threads);

// The order of answers: better score first, then smaller id.
class BetterRow {
 public:
  explicit BetterRow(const rows::RowView& table)
      : table_(&table), larger_(larger_is_better(table.metric())) {}

  bool operator()(const ScoredRow& a, const ScoredRow& b) const {
    if (a.score != b.score) return larger_ == (a.score > b.score);
    return table_->id(a.row) < table_->id(b.row);
  }

 private:
  const rows::RowView* table_;
  bool larger_;
};

// Keeps the `k` best of `rows`, in order.
void keep_best(const BetterRow& better, std::size_t k,
               std::vector<ScoredRow>* rows);

}  // namespace lamina::search
