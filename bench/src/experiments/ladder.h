#pragma once

#include "core/result.h"
#include "experiments/ladder_plan.h"

namespace lamina::bench {

// Runs the ladder: every round with a fresh server, stub and client process.
// Tells the plan first and the time left while it runs, on stderr.
//   internal: a wrong answer or an invalid run; there is nothing to report.
//   invalid_argument: a build or options that cannot be timed.
Result<BenchResult> run_ladder(const LadderOptions& options,
                               const std::vector<std::string>& arguments);

}  // namespace lamina::bench
