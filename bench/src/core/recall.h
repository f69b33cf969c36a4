#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data_set.h"

namespace lamina::bench {

// How many of `rows`, an answer to the query, are among the rows.size() true
// nearest. In which order does not matter, saying a row twice does not help.
std::size_t true_answers(const NpyMatrix<std::int32_t>& truth_ids,
                         std::size_t query, std::span<const std::int64_t> rows);
inline std::size_t true_answers(const DataSet& data, std::size_t query,
                                std::span<const std::int64_t> rows) {
  return true_answers(data.truth_ids, query, rows);
}

}  // namespace lamina::bench
