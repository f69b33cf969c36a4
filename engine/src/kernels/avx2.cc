// AVX2: as avx512.cc with half the width.
#include <immintrin.h>

#include "kernels/kernels.h"
#include "kernels/select.inc"

namespace lamina::kernels {
namespace {

constexpr std::size_t kQuarters = 4;

inline __m256d widen(const float* values) {
  return _mm256_cvtps_pd(_mm_loadu_ps(values));
}

// Lanes 4i + j are element j of lanes[i]; folded in halves.
inline double fold(const __m256d (&lanes)[kQuarters]) {
  const __m256d four = _mm256_add_pd(_mm256_add_pd(lanes[0], lanes[2]),
                                     _mm256_add_pd(lanes[1], lanes[3]));
  const __m128d two =
      _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

// Takes add(lane, a, b) of four elements at a time into the lanes.
template <class Add>
double sum(const float* a, const float* b, std::size_t count, Add add) {
  __m256d lanes[kQuarters] = {};
  for (std::size_t i = 0; i < count; i += 16) {
    for (std::size_t r = 0; r < kQuarters; ++r) {
      lanes[r] = add(lanes[r], widen(a + i + 4 * r), widen(b + i + 4 * r));
    }
  }
  return fold(lanes);
}

double dot(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](__m256d lane, __m256d x, __m256d y) {
    return _mm256_fmadd_pd(x, y, lane);
  });
}

double squared_distance(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](__m256d lane, __m256d x, __m256d y) {
    const __m256d difference = _mm256_sub_pd(x, y);
    return _mm256_add_pd(lane, _mm256_mul_pd(difference, difference));
  });
}

double absolute_distance(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](__m256d lane, __m256d x, __m256d y) {
    const __m256d sign = _mm256_set1_pd(-0.0);
    return _mm256_add_pd(lane, _mm256_andnot_pd(sign, _mm256_sub_pd(x, y)));
  });
}

struct DotStep {
  static constexpr std::size_t kWidth = 16;
  static __m256i load(const CodedQuery& query, std::size_t j) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(query.wide + j));
  }
  static __m256i add(__m256i sum, const std::uint8_t* row, __m256i query) {
    const __m256i wide = _mm256_cvtepu8_epi16(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(wide, query));
  }
};

struct DifferenceStep {
  static constexpr std::size_t kWidth = 32;
  static __m256i load(const CodedQuery& query, std::size_t j) {
    return _mm256_load_si256(
        reinterpret_cast<const __m256i*>(query.shifted + j));
  }
  static __m256i add(__m256i sum, const std::uint8_t* row, __m256i query) {
    const __m256i codes =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
    return _mm256_add_epi32(sum, _mm256_sad_epu8(codes, query));
  }
};

// Sums of four accumulators, as four 32-bit values.
inline __m128i sum_four(__m256i s0, __m256i s1, __m256i s2, __m256i s3) {
  const __m256i lanes =
      _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
  return _mm_add_epi32(_mm256_castsi256_si128(lanes),
                       _mm256_extracti128_si256(lanes, 1));
}

// As in avx512_common.inc.
template <class Step>
std::size_t select_with(const CodedRows& rows, const CodedQuery& query,
                        std::int32_t offset, float threshold, Candidate* out) {
  const std::size_t stride = rows.stride;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.count; i += 4) {
    // The last rows stand in for missing ones; their sums are not looked at.
    const std::uint8_t* row[4];
    for (std::size_t r = 0; r < 4; ++r) {
      const std::size_t index = i + r < rows.count ? i + r : rows.count - 1;
      row[r] = rows.codes + index * stride;
    }
    __m256i s0 = _mm256_setzero_si256();
    __m256i s1 = s0;
    __m256i s2 = s0;
    __m256i s3 = s0;
    for (std::size_t j = 0; j < stride; j += Step::kWidth) {
      const __m256i q = Step::load(query, j);
      s0 = Step::add(s0, row[0] + j, q);
      s1 = Step::add(s1, row[1] + j, q);
      s2 = Step::add(s2, row[2] + j, q);
      s3 = Step::add(s3, row[3] + j, q);
    }
    alignas(16) std::int32_t sums[4];
    _mm_store_si128(reinterpret_cast<__m128i*>(sums), sum_four(s0, s1, s2, s3));
    for (std::size_t r = 0; r < 4 && i + r < rows.count; ++r) {
      count += select_row(rows, query, i + r, sums[r] - offset, threshold,
                          out + count);
    }
  }
  return count;
}

std::size_t select_rows(const CodedRows& rows, const CodedQuery& query,
                        float threshold, Candidate* out) {
  return select_with<DotStep>(rows, query, query.code_offset, threshold, out);
}

std::size_t select_rows_by_difference(const CodedRows& rows,
                                      const CodedQuery& query, float threshold,
                                      Candidate* out) {
  return select_with<DifferenceStep>(rows, query, 0, threshold, out);
}

}  // namespace

const KernelSet avx2 = {"avx2", select_rows,      select_rows_by_difference,
                        dot,    squared_distance, absolute_distance};

}  // namespace lamina::kernels
