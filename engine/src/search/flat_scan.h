#pragma once

#include <cstddef>
#include <vector>

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "rows/row_table.h"

namespace lamina::search {

struct ScoredRow {
  double score;  // The metric's value.
  rows::Row row;
};

// What a scan did, so that its exactness can be seen.
struct FlatScanStats {
  std::size_t rows_scanned = 0;
  // Rows whose bound could not exclude them, each scored again in double.
  std::size_t rows_rescored = 0;
};

// Replaces `best` by the min(k, size) best rows: best score first, equal scores
// by ascending id. Exact: the scan over the codes only rules rows out, by
// bounds on the error of its estimate (docs/exact-search.md).
//
// The query must have passed validate_vector(). Cost: one pass over the codes,
// `dimension` bytes a row. Allocates only when the thread's scratch grows.
// The answer is the same, bit for bit, with every kernel set.
FlatScanStats flat_scan(const rows::RowTable& table, VectorView query,
                        std::size_t k, std::vector<ScoredRow>* best,
                        const kernels::KernelSet& kernels = kernels::active());

}  // namespace lamina::search
