#pragma once

#include <cstdint>
#include <optional>

#include "lamina/result.h"
#include "lamina/store.h"

namespace lamina {

struct RecallOptions {
  // Stored points, spread over all ids, whose vectors are asked with; 1 to
  // kMaxBatchPoints.
  std::uint64_t sample = 100;
  std::uint64_t top_k = 10;
  // As QueryOptions::hnsw_ef.
  std::optional<std::uint32_t> hnsw_ef{};
};

struct Recall {
  // The share of the exact answers' hits that the graph's answers hold, or
  // equally good ones. 1 without a graph.
  double share = 1.0;
  std::uint64_t queries = 0;
};

// What a collection's graph misses: asks each question with and without it.
// Works on any rung. Cost: `sample` exact queries, and one pass over all ids.
//   invalid_argument: an option out of range.
Result<Recall> measure_recall(const Collection& collection,
                              const RecallOptions& options = {});

}  // namespace lamina
