#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "rows/axis_codes.h"

namespace lamina::search {

// A query as the first stage of a scan reads it: coded along the axes of a
// table's projection. Keeps its memory between queries.
//
// Derivation of every bound: docs/exact-search.md.
class AxisQueryCoder {
 public:
  // `query` holds the table's stride() values, `factor` is what it is
  // multiplied with: the query is compared at length 1 under cosine. Valid
  // until the next call.
  const kernels::AxisQuery& code(const rows::AxisCodes& axes, Metric metric,
                                 const float* query, double factor);

 private:
  std::vector<std::int8_t> codes_;
  std::vector<std::int16_t> wide_;
  kernels::AxisQuery coded_{};
};

}  // namespace lamina::search
