#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "search/flat_scan.h"
#include "search/lower_bounds.h"
#include "search/query_coder.h"

namespace lamina::search {

// Finds the best of rows that are given to it in lists: bounds each by its
// whole code, and scores those that the threshold, which rises on the way, does
// not rule out. Keeps its memory between queries.
class Refiner {
 public:
  // `query` must outlive the answer.
  void begin(const rows::RowView& table, const FlatQuery& query,
             const kernels::KernelSet& kernels);

  const QueryCoder& coder() const { return coder_; }

  // What a row's bound must reach. Finite, or beyond: never so low that it lets
  // through what is marked as -infinity.
  float threshold() const;

  // Takes rows first + listed[i], ascending; `first` begins a chunk. The list
  // is used up. No row may come twice.
  void refine(rows::Row first, std::vector<std::uint32_t>* listed);

  // Takes rows with bounds of the caller's; the list is used up.
  void score(std::vector<kernels::Candidate>* candidates);

  // The rows scored so far, in no order.
  std::vector<ScoredRow>& scored() { return scored_; }
  std::size_t refined_count() const { return refined_count_; }

 private:
  std::size_t refine_chunk(rows::Row first, const std::uint32_t* listed,
                           std::size_t count, kernels::Candidate* out);

  const rows::RowView* table_ = nullptr;
  const kernels::KernelSet* kernels_ = nullptr;
  QueryCoder coder_;
  LowerBounds bounds_;
  std::vector<kernels::Candidate> candidates_;
  std::vector<ScoredRow> scored_;
  std::size_t refined_count_ = 0;
};

}  // namespace lamina::search
