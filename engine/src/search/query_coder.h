#pragma once

#include <cstdint>

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "rows/aligned_array.h"
#include "rows/row_view.h"

namespace lamina::search {

// A query as the kernels read it: padded, and coded for the rows of one chunk
// after another. Keeps its memory between queries.
//
// Derivation of every bound: docs/exact-search.md.
class QueryCoder {
 public:
  // Takes a query that has passed validate_vector().
  void begin(const rows::RowView& table, VectorView query,
             const kernels::KernelSet& kernels);

  // table.stride() values, aligned to a cache line.
  const float* padded() const { return query_.get(); }
  // |query|
  double length() const { return length_; }
  // What the query is multiplied with before coding: cosine compares
  // directions.
  double factor() const { return factor_; }

  // For the rows of the chunk that `row` is in: they share a centre and, under
  // manhattan, a grid. Valid until the next call.
  const kernels::CodedQuery& for_chunk(const rows::RowView& table,
                                       rows::Row row);

  // The largest goodness that a row may have whose score, as users see it, is
  // worse than `score_threshold`, rounded down: what is below it may be left
  // out.
  float goodness_of(float score_threshold) const;

 private:
  void move_to(const float* center);
  void shift_by(const float* center, double center_length);
  void snap_to(const float* center, float grid_step);
  double code(const float* center);
  std::int32_t spread_codes();

  Metric metric_ = Metric::cosine;
  std::size_t dimension_ = 0;
  std::size_t stride_ = 0;
  std::size_t capacity_ = 0;
  const kernels::KernelSet* kernels_ = nullptr;
  rows::AlignedArray<float> query_;
  rows::AlignedArray<std::int8_t> codes_;
  rows::AlignedArray<std::uint8_t> shifted_codes_;
  double length_ = 0.0;
  double factor_ = 1.0;
  kernels::CodedQuery coded_{};
};

}  // namespace lamina::search
