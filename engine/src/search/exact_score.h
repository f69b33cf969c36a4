#pragma once

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "rows/row_view.h"

namespace lamina::search {

// Scores rows against one query in double, in an order of additions that is the
// same on every CPU: the score that users see, and the one that ranks.
class ExactScorer {
 public:
  // `padded_query` holds table.stride() values, `query_length` is its length;
  // the former and `table` must outlive the scorer.
  ExactScorer(const rows::RowView& table, const float* padded_query,
              double query_length, const kernels::KernelSet& kernels);

  // The metric's value. Cosine is held to [-1, 1], which rounding can leave.
  double operator()(rows::Row row) const;

  // Starts to fetch a row that will be scored soon: survivors of a scan lie far
  // apart, and waiting for each in turn costs more than scoring it.
  void prefetch(rows::Row row) const;

 private:
  const rows::RowView& table_;
  const float* query_;
  const kernels::KernelSet& kernels_;
  double query_length_;
};

// `score` as a user gets it: rounded to float, held to its finite range.
float to_user_score(double score);

}  // namespace lamina::search
