#pragma once

#include <cstddef>

#include "core/data_set.h"

namespace lamina::bench {

// Fills the truth of a data set of unit vectors: the `k` best rows of each
// query by cosine in double, equal ones by ascending row. Owes nothing to the
// engine. A product in float32 leaves out only what its rounding cannot have
// pushed down, and all that is left is scored again in double.
void find_truth(std::size_t k, DataSet* data);

}  // namespace lamina::bench
