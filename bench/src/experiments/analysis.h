#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"
#include "experiments/ladder_plan.h"
#include "experiments/round.h"

namespace lamina::bench {

// Fills in arms, contrasts, controls, checks and writes of `result` from what
// the rounds measured. Pure: the same rounds give the same result.
void analyse(std::span<const RoundResult> rounds, const LadderOptions& options,
             BenchResult* result);

// Stalls of 38 to 50 ms among the first calls of an arm's connection: what
// Nagle's algorithm and delayed acknowledgements make together. Ok when there
// is no pattern of them.
//   internal: names the arm and what to do.
Status check_preflight(const RoundResult& round);

}  // namespace lamina::bench
