#pragma once

#include <memory>

#include "rows/coding_rules.h"
#include "rows/projection.h"

namespace lamina::rows {

class RowTable;

// The projection with which scans of `table` are expected to cost least, from a
// sample of its rows taken as rows and as queries; null when scanning whole
// codes is expected to cost no more, under manhattan, and for dimensions below
// 128 or above 2,048.
//
// Cost: bounded by a few billion multiplications; a fraction of a second.
std::shared_ptr<const Projection> choose_projection(const RowTable& table,
                                                    CodingRule rule);

}  // namespace lamina::rows
