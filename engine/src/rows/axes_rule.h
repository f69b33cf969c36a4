#pragma once

#include <cstddef>
#include <memory>

#include "rows/projection.h"

namespace lamina::rows {

class RowTable;

// Whether a scan looks at the leading principal axes of its rows first.
enum class AxesRule {
  automatic,  // When a sample of the rows says that it costs less.
  never,
  always,
};

// The rule of this process: `automatic`, or what LAMINA_AXES names. Read at the
// first call. Another word ends the program with a message, as a forced rule
// that silently is another one measures nothing.
AxesRule axes_rule();

// The projection with which scans of `table` are expected to cost least, from a
// sample of its rows taken as rows and as queries; null when scanning whole
// codes is expected to cost no more, under manhattan, and for dimensions below
// 128 or above 2,048.
//
// Cost: some 50 ms at 384 dimensions.
std::shared_ptr<const Projection> choose_projection(const RowTable& table,
                                                    AxesRule rule);

}  // namespace lamina::rows
