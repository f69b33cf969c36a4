#include "core/recall.h"

#include <algorithm>
#include <cassert>

namespace lamina::bench {

std::size_t true_answers(const NpyMatrix<std::int32_t>& truth_ids,
                         std::size_t query,
                         std::span<const std::int64_t> rows) {
  assert(rows.size() <= truth_ids.columns);
  const std::span truth(truth_ids.row(query), rows.size());
  return static_cast<std::size_t>(
      std::count_if(truth.begin(), truth.end(), [&](std::int64_t row) {
        return std::find(rows.begin(), rows.end(), row) != rows.end();
      }));
}

}  // namespace lamina::bench
