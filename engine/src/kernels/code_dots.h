#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Inner products of coded rows that lie far apart: what a walk over a graph
// computes for the nodes that it meets. All sets give the same sums.
namespace lamina::kernels {

// Rows of padded(dimension) bytes, each value plus 128.
struct CodeRows {
  const std::uint8_t* codes;
  std::size_t stride;
};

struct CodeDotsQuery {
  const std::int8_t* codes;  // padded(dimension) values, -127 to 127
  std::int32_t code_offset;  // 128 * (sum of codes)
};

struct CodeDots {
  std::string_view name;  // Of the KernelSet that it goes with.

  // dots[i] = (row nodes[i] - 128) . query codes
  void (*dots)(const CodeRows& rows, const std::uint32_t* nodes,
               std::size_t count, const CodeDotsQuery& query,
               std::int32_t* dots);
};

// In the order of available().
std::span<const CodeDots* const> available_code_dots();

// The one that goes with active().
const CodeDots& active_code_dots();

// One per file; defined only where the target can compile it. AVX-512 without
// VNNI gains nothing over AVX2 here.
extern const CodeDots portable_code_dots;
extern const CodeDots avx2_code_dots;
extern const CodeDots avx512_code_dots;
extern const CodeDots avx512vnni_code_dots;
extern const CodeDots neon_code_dots;

}  // namespace lamina::kernels
