// NEON with the dot product instructions of ARMv8.2.
#include <arm_neon.h>

#include "kernels/encode.inc"
#include "kernels/kernels.h"
#include "kernels/select.inc"

namespace lamina::kernels {
namespace {

constexpr std::size_t kPairs = 8;

// Lanes 2i + j are element j of lanes[i]; folded in halves.
inline double fold(const float64x2_t (&lanes)[kPairs]) {
  float64x2_t sums[kPairs];
  for (std::size_t r = 0; r < kPairs; ++r) sums[r] = lanes[r];
  for (std::size_t half = kPairs / 2; half > 0; half /= 2) {
    for (std::size_t r = 0; r < half; ++r) {
      sums[r] = vaddq_f64(sums[r], sums[r + half]);
    }
  }
  return vgetq_lane_f64(sums[0], 0) + vgetq_lane_f64(sums[0], 1);
}

inline float64x2_t widen(const float* values) {
  return vcvt_f64_f32(vld1_f32(values));
}

// Takes term(a, b) of two elements at a time into the lanes.
template <class Add>
double sum(const float* a, const float* b, std::size_t count, Add add) {
  float64x2_t lanes[kPairs];
  for (float64x2_t& lane : lanes) lane = vdupq_n_f64(0.0);
  for (std::size_t i = 0; i < count; i += 2 * kPairs) {
    for (std::size_t r = 0; r < kPairs; ++r) {
      lanes[r] = add(lanes[r], widen(a + i + 2 * r), widen(b + i + 2 * r));
    }
  }
  return fold(lanes);
}

double dot(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](float64x2_t lane, float64x2_t x, float64x2_t y) {
    return vfmaq_f64(lane, x, y);
  });
}

double squared_distance(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](float64x2_t lane, float64x2_t x, float64x2_t y) {
    const float64x2_t difference = vsubq_f64(x, y);
    return vaddq_f64(lane, vmulq_f64(difference, difference));
  });
}

double absolute_distance(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](float64x2_t lane, float64x2_t x, float64x2_t y) {
    return vaddq_f64(lane, vabsq_f64(vsubq_f64(x, y)));
  });
}

// Codes less their offset, so that the sum needs no correction.
struct DotStep {
  static int8x16_t load(const CodedQuery& query, std::size_t j) {
    return vld1q_s8(query.codes + j);
  }
  static int32x4_t add(int32x4_t total, const std::uint8_t* row,
                       int8x16_t query) {
    const uint8x16_t codes = veorq_u8(vld1q_u8(row), vdupq_n_u8(0x80));
    return vdotq_s32(total, vreinterpretq_s8_u8(codes), query);
  }
};

struct DifferenceStep {
  static uint8x16_t load(const CodedQuery& query, std::size_t j) {
    return vld1q_u8(query.shifted + j);
  }
  static int32x4_t add(int32x4_t total, const std::uint8_t* row,
                       uint8x16_t query) {
    const uint8x16_t difference = vabdq_u8(vld1q_u8(row), query);
    return vreinterpretq_s32_u32(
        vdotq_u32(vreinterpretq_u32_s32(total), difference, vdupq_n_u8(1)));
  }
};

template <class Step>
struct SumsBy {
  static void of(const std::uint8_t* const (&row)[4], const CodedQuery& query,
                 std::size_t stride, std::int32_t (&sums)[4]) {
    int32x4_t lanes[4];
    for (int32x4_t& lane : lanes) lane = vdupq_n_s32(0);
    for (std::size_t j = 0; j < stride; j += 16) {
      const auto q = Step::load(query, j);
      for (std::size_t r = 0; r < 4; ++r) {
        lanes[r] = Step::add(lanes[r], row[r] + j, q);
      }
    }
    for (std::size_t r = 0; r < 4; ++r) sums[r] = vaddvq_s32(lanes[r]);
  }
};

// 16 rows for one query, four to a register.
inline void bound_group(const AxisRows& rows, std::size_t first,
                        const AxisQuery& query, float* upper) {
  int32x4_t sums[4];
  for (int32x4_t& sum : sums) sum = vdupq_n_s32(0);
  const std::uint8_t* codes = rows.codes + first * rows.axis_count;
  for (std::size_t j = 0; j < rows.axis_count; j += kInterleavedAxes) {
    std::int32_t four;
    __builtin_memcpy(&four, query.codes + j, sizeof(four));
    const int8x16_t factors = vreinterpretq_s8_s32(vdupq_n_s32(four));
    for (std::size_t r = 0; r < 4; ++r) {
      const uint8x16_t shifted =
          vld1q_u8(codes + j * kInterleavedRows + 16 * r);
      const uint8x16_t signed_codes = veorq_u8(shifted, vdupq_n_u8(0x80));
      sums[r] = vdotq_s32(sums[r], vreinterpretq_s8_u8(signed_codes), factors);
    }
  }
  std::int32_t totals[kInterleavedRows];
  for (std::size_t r = 0; r < 4; ++r) vst1q_s32(totals + 4 * r, sums[r]);
  for (std::size_t r = 0; r < kInterleavedRows; ++r) {
    upper[first + r] = upper_of(rows, query, first + r, totals[r]);
  }
}

void bound_rows(const AxisRows& rows, const AxisQuery* queries,
                std::size_t query_count, float* const* uppers) {
  for (std::size_t i = 0; i < rows.count; i += kInterleavedRows) {
    for (std::size_t q = 0; q < query_count; ++q) {
      bound_group(rows, i, queries[q], uppers[q]);
    }
  }
}

// Four axes at a time, so that the values are loaded once for four.
void project(const std::int16_t* axes, std::size_t axis_count,
             std::size_t stride, const float* values, float* out) {
  for (std::size_t i = 0; i < axis_count; i += 4) {
    float32x4_t sums[4];
    for (float32x4_t& sum : sums) sum = vdupq_n_f32(0.0f);
    for (std::size_t j = 0; j < stride; j += 4) {
      const float32x4_t value = vld1q_f32(values + j);
      for (std::size_t r = 0; r < 4; ++r) {
        const int16x4_t axis = vld1_s16(axes + (i + r) * stride + j);
        sums[r] = vfmaq_f32(sums[r], vcvtq_f32_s32(vmovl_s16(axis)), value);
      }
    }
    for (std::size_t r = 0; r < 4; ++r) {
      out[i + r] = vaddvq_f32(sums[r]);
    }
  }
}

void add_scaled(float a, const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    vst1q_f32(y + i, vfmaq_n_f32(vld1q_f32(y + i), vld1q_f32(x + i), a));
  }
}

}  // namespace

const KernelSet neon = {"neon",
                        select_run<SumsBy<DotStep>>,
                        select_run<SumsBy<DifferenceStep>>,
                        select_listed<SumsBy<DotStep>>,
                        sum_listed<SumsBy<DotStep>>,
                        bound_rows,
                        select_above_each,
                        project,
                        extent,
                        encode,
                        add_scaled,
                        dot,
                        squared_distance,
                        absolute_distance};

}  // namespace lamina::kernels
