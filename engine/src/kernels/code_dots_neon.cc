// 64-bit ARM with the dot product extension.
#include <arm_neon.h>

#include "kernels/code_dots.inc"

namespace lamina::kernels {
namespace {

struct Sum4 {
  static int32x4_t add(int32x4_t sum, const std::uint8_t* row,
                       int8x16_t query) {
    // A code less 128 is the code with its top bit flipped.
    const uint8x16_t value = veorq_u8(vld1q_u8(row), vdupq_n_u8(128));
    return vdotq_s32(sum, vreinterpretq_s8_u8(value), query);
  }

  static void of(const std::uint8_t* const (&row)[4],
                 const CodeDotsQuery& query, std::size_t stride,
                 std::int32_t (&sums)[4]) {
    int32x4_t s0 = vdupq_n_s32(0);
    int32x4_t s1 = s0;
    int32x4_t s2 = s0;
    int32x4_t s3 = s0;
    for (std::size_t j = 0; j < stride; j += 16) {
      const int8x16_t q = vld1q_s8(query.codes + j);
      s0 = add(s0, row[0] + j, q);
      s1 = add(s1, row[1] + j, q);
      s2 = add(s2, row[2] + j, q);
      s3 = add(s3, row[3] + j, q);
    }
    sums[0] = vaddvq_s32(s0);
    sums[1] = vaddvq_s32(s1);
    sums[2] = vaddvq_s32(s2);
    sums[3] = vaddvq_s32(s3);
  }
};

}  // namespace

const CodeDots neon_code_dots = {"neon", dots_by_four<Sum4>};

}  // namespace lamina::kernels
