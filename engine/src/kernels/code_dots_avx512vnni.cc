#include <immintrin.h>

#include "kernels/code_dots.inc"

namespace lamina::kernels {
namespace {

struct Sum4 {
  static void of(const std::uint8_t* const (&row)[4],
                 const CodeDotsQuery& query, std::size_t stride,
                 std::int32_t (&sums)[4]) {
    __m512i s0 = _mm512_setzero_si512();
    __m512i s1 = s0;
    __m512i s2 = s0;
    __m512i s3 = s0;
    for (std::size_t j = 0; j < stride; j += 64) {
      const __m512i q = _mm512_loadu_si512(query.codes + j);
      s0 = _mm512_dpbusd_epi32(s0, _mm512_loadu_si512(row[0] + j), q);
      s1 = _mm512_dpbusd_epi32(s1, _mm512_loadu_si512(row[1] + j), q);
      s2 = _mm512_dpbusd_epi32(s2, _mm512_loadu_si512(row[2] + j), q);
      s3 = _mm512_dpbusd_epi32(s3, _mm512_loadu_si512(row[3] + j), q);
    }
    const __m512i s01 = _mm512_add_epi32(_mm512_unpacklo_epi32(s0, s1),
                                         _mm512_unpackhi_epi32(s0, s1));
    const __m512i s23 = _mm512_add_epi32(_mm512_unpacklo_epi32(s2, s3),
                                         _mm512_unpackhi_epi32(s2, s3));
    const __m512i lanes = _mm512_add_epi32(_mm512_unpacklo_epi64(s01, s23),
                                           _mm512_unpackhi_epi64(s01, s23));
    const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(lanes),
                                          _mm512_extracti64x4_epi64(lanes, 1));
    const __m128i totals = _mm_add_epi32(_mm256_castsi256_si128(half),
                                         _mm256_extracti128_si256(half, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sums),
                     _mm_sub_epi32(totals, _mm_set1_epi32(query.code_offset)));
  }
};

}  // namespace

const CodeDots avx512vnni_code_dots = {"avx512vnni", dots_by_four<Sum4>};

}  // namespace lamina::kernels
