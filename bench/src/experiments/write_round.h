#pragma once

#include <vector>

#include "core/data_set.h"
#include "experiments/round.h"
#include "lamina/result.h"

namespace lamina::bench {

// The writes of one round: each block of an arm inserts new points, replaces
// them, and deletes them again, so the collection ends as it began.
//   internal: an answer that cannot be true, or a collection that is not as it
//   began.
Result<std::vector<WriteArmRound>> run_write_round(const RoundOptions& options,
                                                   const DataSet& data);

}  // namespace lamina::bench
