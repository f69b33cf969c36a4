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

// Four lanes, folded in halves.
inline double fold_four(__m256d four) {
  const __m128d two =
      _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

// Lanes 4i + j are element j of lanes[i]; folded in halves.
inline double fold(const __m256d (&lanes)[kQuarters]) {
  return fold_four(_mm256_add_pd(_mm256_add_pd(lanes[0], lanes[2]),
                                 _mm256_add_pd(lanes[1], lanes[3])));
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

inline __m256i load_bytes(const void* bytes) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

// |query| times the row's value with the query's sign: two such products are at
// most 2 * 127 * 128, which 16 bits hold.
struct DotStep {
  static __m256i load(const CodedQuery& query, std::size_t j) {
    return load_bytes(query.codes + j);
  }
  static __m256i add(__m256i sum, const std::uint8_t* row, __m256i query) {
    // A code less 128 is the code with its top bit flipped.
    const __m256i value = _mm256_xor_si256(
        load_bytes(row), _mm256_set1_epi8(static_cast<char>(-128)));
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(query),
                                               _mm256_sign_epi8(value, query));
    return _mm256_add_epi32(sum,
                            _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
};

struct DifferenceStep {
  static __m256i load(const CodedQuery& query, std::size_t j) {
    return load_bytes(query.shifted + j);
  }
  static __m256i add(__m256i sum, const std::uint8_t* row, __m256i query) {
    return _mm256_add_epi32(sum, _mm256_sad_epu8(load_bytes(row), query));
  }
};

// Sums of four accumulators, as four 32-bit values.
inline __m128i sum_four(__m256i s0, __m256i s1, __m256i s2, __m256i s3) {
  const __m256i lanes =
      _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
  return _mm_add_epi32(_mm256_castsi256_si128(lanes),
                       _mm256_extracti128_si256(lanes, 1));
}

// As in avx512_common.inc, with half the width.
template <class Step>
struct SumsBy {
  static void of(const std::uint8_t* const (&row)[4], const CodedQuery& query,
                 std::size_t stride, std::int32_t (&sums)[4]) {
    __m256i s0 = _mm256_setzero_si256();
    __m256i s1 = s0;
    __m256i s2 = s0;
    __m256i s3 = s0;
    for (std::size_t j = 0; j < stride; j += 32) {
      const __m256i q = Step::load(query, j);
      s0 = Step::add(s0, row[0] + j, q);
      s1 = Step::add(s1, row[1] + j, q);
      s2 = Step::add(s2, row[2] + j, q);
      s3 = Step::add(s3, row[3] + j, q);
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sums),
                     sum_four(s0, s1, s2, s3));
  }
};

// The bounds of eight rows from their sums. The same operations in the same
// order as upper_of().
inline __m256 uppers_of(const AxisRows& rows, const AxisQuery& query,
                        std::size_t i, __m256i sum) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const __m256 bias = _mm256_loadu_ps(rows.bias + i);
  const __m256 scale = _mm256_loadu_ps(rows.scale + i);
  const __m256 estimate = _mm256_add_ps(
      _mm256_add_ps(
          _mm256_mul_ps(_mm256_cvtepi32_ps(sum),
                        _mm256_mul_ps(_mm256_set1_ps(query.scale), scale)),
          bias),
      _mm256_set1_ps(query.constant));
  __m256 error =
      _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(query.scale_weight), scale),
                    _mm256_mul_ps(_mm256_set1_ps(query.norm_weight),
                                  _mm256_loadu_ps(rows.norm + i)));
  error = _mm256_add_ps(error, _mm256_mul_ps(_mm256_set1_ps(query.rest_weight),
                                             _mm256_loadu_ps(rows.rest + i)));
  error = _mm256_add_ps(error, _mm256_mul_ps(_mm256_set1_ps(query.bias_weight),
                                             _mm256_andnot_ps(sign, bias)));
  error = _mm256_add_ps(error, _mm256_set1_ps(query.base_error));
  const __m256 upper = _mm256_add_ps(estimate, error);
  const __m256 finite = _mm256_cmp_ps(_mm256_andnot_ps(sign, upper),
                                      _mm256_set1_ps(__FLT_MAX__), _CMP_LE_OQ);
  return _mm256_blendv_ps(_mm256_set1_ps(__builtin_inff()), upper, finite);
}

// Sums of pairs of `a` and `b`: eight rows in order.
inline __m256i sum_pairs(__m256i a, __m256i b) {
  return _mm256_permute4x64_epi64(_mm256_hadd_epi32(a, b), 0xd8);
}

// 16 rows for one query; two sums a row until the end.
inline void bound_group(const AxisRows& rows, std::size_t first,
                        const AxisQuery& query, float* upper) {
  __m256i sums[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(),
                     _mm256_setzero_si256(), _mm256_setzero_si256()};
  const std::uint8_t* codes = rows.codes + first * rows.axis_count;
  for (std::size_t j = 0; j < rows.axis_count; j += kInterleavedAxes) {
    long long four;
    __builtin_memcpy(&four, query.wide + j, sizeof(four));
    const __m256i factors = _mm256_set1_epi64x(four);
    for (std::size_t r = 0; r < 4; ++r) {
      const __m256i wide =
          _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(
              codes + j * kInterleavedRows + 16 * r)));
      sums[r] = _mm256_add_epi32(sums[r], _mm256_madd_epi16(wide, factors));
    }
  }
  const __m256i offset = _mm256_set1_epi32(query.code_offset);
  for (std::size_t half = 0; half < 2; ++half) {
    const std::size_t i = first + 8 * half;
    const __m256i sum =
        _mm256_sub_epi32(sum_pairs(sums[2 * half], sums[2 * half + 1]), offset);
    _mm256_storeu_ps(upper + i, uppers_of(rows, query, i, sum));
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

std::size_t select_above(const float* values, std::size_t count,
                         float threshold, std::uint32_t* out) {
  const __m256 limit = _mm256_set1_ps(threshold);
  std::size_t found = 0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    auto keep = static_cast<unsigned>(_mm256_movemask_ps(
        _mm256_cmp_ps(_mm256_loadu_ps(values + i), limit, _CMP_NLT_UQ)));
    for (; keep != 0; keep &= keep - 1) {
      out[found++] = static_cast<std::uint32_t>(
          i + static_cast<unsigned>(__builtin_ctz(keep)));
    }
  }
  const std::size_t rest =
      select_above_each(values + i, count - i, threshold, out + found);
  for (std::size_t r = 0; r < rest; ++r) {
    out[found + r] += static_cast<std::uint32_t>(i);
  }
  return found + rest;
}

inline float fold_floats(__m256 lanes) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes),
                                 _mm256_extractf128_ps(lanes, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// Four axes at a time, so that the values are loaded once for four.
void project(const std::int16_t* axes, std::size_t axis_count,
             std::size_t stride, const float* values, float* out) {
  for (std::size_t i = 0; i < axis_count; i += 4) {
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(),
                      _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (std::size_t j = 0; j < stride; j += 8) {
      const __m256 value = _mm256_loadu_ps(values + j);
      for (std::size_t r = 0; r < 4; ++r) {
        const auto* axis =
            reinterpret_cast<const __m128i*>(axes + (i + r) * stride + j);
        const __m256 wide =
            _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(axis)));
        sums[r] = _mm256_fmadd_ps(wide, value, sums[r]);
      }
    }
    for (std::size_t r = 0; r < 4; ++r) {
      out[i + r] = fold_floats(sums[r]);
    }
  }
}

// Four elements of v, and of what v is made of.
struct ShiftedFour {
  __m256d input;
  __m256d value;
};

inline ShiftedFour shifted_four(const Shifted& v, std::size_t j) {
  const __m256d input =
      _mm256_mul_pd(widen(v.values + j), _mm256_set1_pd(v.factor));
  if (v.center == nullptr) return {input, input};
  return {input, _mm256_sub_pd(input, widen(v.center + j))};
}

inline __m256d add_square(__m256d sum, __m256d value) {
  return _mm256_add_pd(sum, _mm256_mul_pd(value, value));
}

Extent extent(const Shifted& v) {
  const __m256d sign = _mm256_set1_pd(-0.0);
  __m256d largest = _mm256_setzero_pd();
  __m256d square[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  __m256d input_square[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  for (std::size_t j = 0; j < v.count; j += 8) {
    for (std::size_t r = 0; r < 2; ++r) {
      const ShiftedFour four = shifted_four(v, j + 4 * r);
      largest = _mm256_max_pd(largest, _mm256_andnot_pd(sign, four.value));
      square[r] = add_square(square[r], four.value);
      input_square[r] = add_square(input_square[r], four.input);
    }
  }
  const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(largest),
                                 _mm256_extractf128_pd(largest, 1));
  return {_mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two))),
          fold_four(_mm256_add_pd(square[0], square[1])),
          fold_four(_mm256_add_pd(input_square[0], input_square[1]))};
}

// The nearest codes of four steps, as 32-bit values.
inline __m128i nearest_codes(__m256d steps) {
  // Clamped, as the scale may have been rounded down.
  const __m256d most = _mm256_set1_pd(127.0);
  steps = _mm256_max_pd(_mm256_min_pd(steps, most), _mm256_set1_pd(-127.0));
  const __m256d negative =
      _mm256_cmp_pd(steps, _mm256_setzero_pd(), _CMP_LT_OQ);
  const __m256d half =
      _mm256_blendv_pd(_mm256_set1_pd(0.5), _mm256_set1_pd(-0.5), negative);
  return _mm256_cvttpd_epi32(_mm256_add_pd(steps, half));
}

CodeSquares encode(const Shifted& v, float scale, std::int8_t* codes) {
  const __m256d unit = _mm256_set1_pd(scale);
  const __m256d inverse =
      _mm256_set1_pd(scale > 0.0f ? 1.0 / double{scale} : 0.0);
  __m256d code_square[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  __m256d rest_square[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  for (std::size_t j = 0; j < v.count; j += 8) {
    __m128i code[2];
    for (std::size_t r = 0; r < 2; ++r) {
      const __m256d value = shifted_four(v, j + 4 * r).value;
      code[r] = nearest_codes(_mm256_mul_pd(value, inverse));
      const __m256d units = _mm256_cvtepi32_pd(code[r]);
      code_square[r] = add_square(code_square[r], units);
      rest_square[r] = add_square(
          rest_square[r], _mm256_sub_pd(value, _mm256_mul_pd(unit, units)));
    }
    const __m128i wide = _mm_packs_epi32(code[0], code[1]);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(codes + j),
                     _mm_packs_epi16(wide, wide));
  }
  return {fold_four(_mm256_add_pd(code_square[0], code_square[1])),
          fold_four(_mm256_add_pd(rest_square[0], rest_square[1]))};
}

void add_scaled(float a, const float* x, float* y, std::size_t count) {
  const __m256 factor = _mm256_set1_ps(a);
  for (std::size_t i = 0; i < count; i += 8) {
    _mm256_storeu_ps(y + i, _mm256_fmadd_ps(factor, _mm256_loadu_ps(x + i),
                                            _mm256_loadu_ps(y + i)));
  }
}

}  // namespace

const KernelSet avx2 = {"avx2",
                        select_run<SumsBy<DotStep>>,
                        select_run<SumsBy<DifferenceStep>>,
                        select_listed<SumsBy<DotStep>>,
                        sum_listed<SumsBy<DotStep>>,
                        bound_rows,
                        select_above,
                        project,
                        extent,
                        encode,
                        add_scaled,
                        dot,
                        squared_distance,
                        absolute_distance};

}  // namespace lamina::kernels
