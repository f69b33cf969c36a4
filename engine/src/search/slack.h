#pragma once

// What bounds are widened by to cover roundings. docs/exact-search.md, section
// 4, derives each.
namespace lamina::search {

// Covers every rounding in the kernels' float arithmetic: at most 8 operations
// of relative error 2^-24 each on the estimate and on the error.
inline constexpr double kFloatSlack = 1.0 / (1 << 19);

// Covers the roundings of sums in double, the final scores' own among them,
// where lengths of the inputs are all there is to compare with.
inline constexpr double kDoubleSlack = 1e-10;

// What products that underflow can lose: 2^30 of them in a sum, half a denormal
// each.
inline constexpr double kUnderflowSlack = 0x1p-119;

}  // namespace lamina::search
