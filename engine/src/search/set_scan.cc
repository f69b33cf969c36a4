#include "search/set_scan.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "search/exact_score.h"

namespace lamina::search {

void set_scan(const rows::RowTable& table, const RowSet& matching,
              std::span<FlatQuery> queries) {
  const kernels::KernelSet& kernels = kernels::active();
  std::vector<float> padded(table.stride());
  for (FlatQuery& query : queries) {
    std::copy(query.vector.begin(), query.vector.end(), padded.begin());
    const double length =
        std::sqrt(kernels.dot(padded.data(), padded.data(), padded.size()));
    const ExactScorer scorer(table, padded.data(), length, kernels);
    query.best.clear();
    matching.for_each([&](std::size_t set_row) {
      const auto row = static_cast<rows::Row>(set_row);
      query.best.push_back({scorer(row), row});
    });
    query.stats = {.rows_scanned = 0, .rows_rescored = query.best.size()};
    keep_best(BetterRow(table), query.k, &query.best);
  }
}

}  // namespace lamina::search
