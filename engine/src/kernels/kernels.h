#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// The inner loops, once per instruction set. All sets give the same integer
// sums and the same exact scores, bit for bit; only their speed differs.
namespace lamina::kernels {

// Rows are padded with zeros to a multiple of this many float32 values, and
// codes to a multiple of this many bytes, so that no loop has a tail.
inline constexpr std::size_t kRowAlignment = 64;

constexpr std::size_t padded(std::size_t dimension) {
  return (dimension + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

// Most rows that one select_rows() call takes.
inline constexpr std::size_t kBlockRows = 64;

// A run of quantised rows. Row i stands for scale[i] * (codes - 128), and every
// float of it is bounded as docs/exact-search.md derives.
struct CodedRows {
  const std::uint8_t* codes{};  // count * stride bytes
  std::size_t stride{};         // padded(dimension)
  const float* scale{};
  const float* norm{};      // At least the length of the quantised row.
  const float* residual{};  // At least the length of what quantising took away.
  const float* bias{};      // Added to the estimate.
  std::size_t count{};      // At most kBlockRows.
};

// A quantised query.
struct CodedQuery {
  const std::int8_t* codes{};     // padded(dimension)
  const std::uint8_t* shifted{};  // The same values plus 128.
  std::int32_t code_offset{};     // 128 * (sum of codes)
  float scale{};                  // Of the estimate.
  float constant{};               // Added to every estimate.
  float base_error{};             // Added to every error.
  float norm_weight{};            // Error per unit of a row's norm.
  float residual_weight{};        // Error per unit of a row's residual.
  float bias_weight{};            // Error per unit of a row's |bias|.
};

// Rows are interleaved so that a register holds the same few coordinates of
// this many rows: then no sum runs across a register.
inline constexpr std::size_t kInterleavedRows = 16;
// Coordinates of a row that lie together.
inline constexpr std::size_t kInterleavedAxes = 4;

// A run of rows by their quantised coordinates along the axes of a projection.
// Coordinate j of row i is byte
//   (i / 16 * axis_count + j / 4 * 4) * 16 + i % 16 * 4 + j % 4
// of `codes`. What they mean: docs/exact-search.md.
struct AxisRows {
  const std::uint8_t* codes;
  std::size_t axis_count;  // A multiple of kInterleavedAxes.
  const float* scale;
  const float* norm;  // At least the length of the quantised coordinates.
  const float* rest;  // At least the length of what the axes do not hold.
  const float* bias;  // Added to the estimate.
  std::size_t count;  // A multiple of kInterleavedRows.
};

// A query along the same axes.
struct AxisQuery {
  const std::int8_t* codes;  // axis_count, 4-byte aligned
  const std::int16_t* wide;  // The same values, 8-byte aligned.
  std::int32_t code_offset;  // 128 * (sum of codes)
  float scale;               // Of the estimate.
  float constant;            // Added to every estimate.
  float base_error;          // Added to every error.
  float scale_weight;        // Error per unit of a row's scale.
  float norm_weight;         // Error per unit of a row's norm.
  float rest_weight;         // Error per unit of a row's rest.
  float bias_weight;         // Error per unit of a row's |bias|.
};

// A row that a threshold could not exclude, with the interval that its score is
// proven to lie in.
struct Candidate {
  float lower;
  float upper;
  std::uint32_t row;  // Within the call's rows; the caller makes it absolute.
};

// v = factor * values - center; a null `center` stands for zeros. Both hold
// padded(dimension) values, zeros beyond the dimension.
struct Shifted {
  const float* values;
  std::size_t count;
  double factor;
  const float* center;
};

// Sums over eight lanes of doubles, folded in halves: the same on every set.
struct Extent {
  double largest;       // max |v_j|
  double square;        // |v|^2
  double input_square;  // |factor * values|^2
};
struct CodeSquares {
  double codes;  // |codes|^2
  double rest;   // |v - scale * codes|^2
};

struct KernelSet {
  // Printed, and forced by LAMINA_KERNEL.
  std::string_view name;

  // Writes the rows whose upper bound is not below `threshold` to `out` (room
  // for rows.count) and returns how many. A bound that is not finite is
  // infinite, and not below. Per row
  //   estimate = query.scale * scale * ((codes - 128) . query codes)
  //              + bias + constant
  //   error    = norm_weight * norm + residual_weight * residual
  //              + bias_weight * |bias| + base_error
  std::size_t (*select_rows)(const CodedRows& rows, const CodedQuery& query,
                             float threshold, Candidate* out);

  // The same with the sum of |codes - shifted query codes| in place of the
  // product: for the sum of absolute differences.
  std::size_t (*select_rows_by_difference)(const CodedRows& rows,
                                           const CodedQuery& query,
                                           float threshold, Candidate* out);

  // select_rows() of the rows at `indices` alone; row of a candidate is its
  // place in `indices`. `rows.count` is not looked at.
  std::size_t (*select_listed)(const CodedRows& rows, const CodedQuery& query,
                               const std::uint32_t* indices, std::size_t count,
                               float threshold, Candidate* out);

  // out[i] = (codes - 128) . query codes of the row at indices[i]. Of the rows
  // only codes and stride are looked at, of the query codes and code_offset.
  void (*sum_listed)(const CodedRows& rows, const CodedQuery& query,
                     const std::uint32_t* indices, std::size_t count,
                     std::int32_t* out);

  // The upper bound of every row for each of `query_count` queries:
  //   estimate = query.scale * scale * ((codes - 128) . query codes)
  //              + bias + constant
  //   error    = scale_weight * scale + norm_weight * norm + rest_weight * rest
  //              + bias_weight * |bias| + base_error
  // and their sum to uppers[query][row]; infinity where that is not finite.
  void (*bound_rows)(const AxisRows& rows, const AxisQuery* queries,
                     std::size_t query_count, float* const* uppers);

  // Writes the places of the values that are not below `threshold` to `out`
  // (room for `count`), ascending, and returns how many.
  std::size_t (*select_above)(const float* values, std::size_t count,
                              float threshold, std::uint32_t* out);

  // out[i] = axis i . values for `axis_count` axes of `stride` values each;
  // summed in float, in any order. `axis_count` is a multiple of 4,
  // `stride` of kRowAlignment.
  void (*project)(const std::int16_t* axes, std::size_t axis_count,
                  std::size_t stride, const float* values, float* out);

  Extent (*extent)(const Shifted& v);

  // Writes codes[j] = v_j / scale, rounded half away from zero and held to
  // -127..127; all zero when `scale` is.
  CodeSquares (*encode)(const Shifted& v, float scale, std::int8_t* codes);

  // y += a * x, rounded in any way. `count` is a multiple of 16.
  void (*add_scaled)(float a, const float* x, float* y, std::size_t count);

  // Sums in double over 16 lanes: lane j takes elements j, j + 16, ..., and the
  // lanes are folded in halves. `count` is a multiple of 16. Products of floats
  // are exact in double, so a fused multiply-add changes no bit.
  double (*dot)(const float* a, const float* b, std::size_t count);

  // The same of (a - b) squared, where nothing may be fused.
  double (*squared_distance)(const float* a, const float* b, std::size_t count);

  // The same of |a - b|.
  double (*absolute_distance)(const float* a, const float* b,
                              std::size_t count);
};

// What this CPU can run, slowest first; never empty.
std::span<const KernelSet* const> available();

// The fastest of available(), or the one that LAMINA_KERNEL names. Chosen at
// the first call. A name that this CPU cannot run ends the program with a
// message: a forced kernel that silently is another one measures nothing.
const KernelSet& active();

// One per file; defined only where the target can compile it.
extern const KernelSet portable;
extern const KernelSet avx2;
extern const KernelSet avx512;
extern const KernelSet avx512vnni;
extern const KernelSet neon;

}  // namespace lamina::kernels
