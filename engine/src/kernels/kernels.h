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
  const std::uint8_t* codes;  // count * stride bytes
  std::size_t stride;         // padded(dimension)
  const float* scale;
  const float* norm;      // At least the length of the quantised row.
  const float* residual;  // At least the length of what quantising took away.
  const float* bias;      // Added to the estimate.
  std::size_t count;      // At most kBlockRows.
};

// A quantised query, in the two forms that instruction sets want.
struct CodedQuery {
  const std::int8_t* codes;     // padded(dimension), 64-byte aligned
  const std::int16_t* wide;     // The same values.
  const std::uint8_t* shifted;  // The same values plus 128.
  std::int32_t code_offset;     // 128 * (sum of codes)
  float scale;                  // Of the estimate.
  float constant;               // Added to every estimate.
  float base_error;             // Added to every error.
  float norm_weight;            // Error per unit of a row's norm.
  float residual_weight;        // Error per unit of a row's residual.
  float bias_weight;            // Error per unit of a row's |bias|.
};

// A row that a threshold could not exclude, with the interval that its score is
// proven to lie in.
struct Candidate {
  float lower;
  float upper;
  std::uint32_t row;  // Within the call's rows; the caller makes it absolute.
};

struct KernelSet {
  // Printed, and forced by LAMINA_KERNEL.
  std::string_view name;

  // Writes the rows whose upper bound is not below `threshold` to `out` (room
  // for rows.count) and returns how many. A bound that is not a number counts
  // as not below. Per row
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
