#pragma once

#include "core/result.h"

// A small result with a value in every field, for tests of what is made of it.
namespace lamina::bench {

BenchResult sample_result();

}  // namespace lamina::bench
