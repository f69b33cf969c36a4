// AVX2. Bytes are multiplied as |query| times the row's value with the query's
// sign: two such products are at most 2 * 127 * 128, which 16 bits hold.
#include <immintrin.h>

#include "kernels/code_dots.inc"

namespace lamina::kernels {
namespace {

inline __m256i load(const void* bytes) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

struct Sum4 {
  static __m256i add(__m256i sum, const std::uint8_t* row, __m256i query,
                     __m256i magnitude) {
    // A code less 128 is the code with its top bit flipped.
    const __m256i value =
        _mm256_xor_si256(load(row), _mm256_set1_epi8(static_cast<char>(-128)));
    const __m256i pairs =
        _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(value, query));
    return _mm256_add_epi32(sum,
                            _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }

  static void of(const std::uint8_t* const (&row)[4],
                 const CodeDotsQuery& query, std::size_t stride,
                 std::int32_t (&sums)[4]) {
    __m256i s0 = _mm256_setzero_si256();
    __m256i s1 = s0;
    __m256i s2 = s0;
    __m256i s3 = s0;
    for (std::size_t j = 0; j < stride; j += 32) {
      const __m256i q = load(query.codes + j);
      const __m256i magnitude = _mm256_abs_epi8(q);
      s0 = add(s0, row[0] + j, q, magnitude);
      s1 = add(s1, row[1] + j, q, magnitude);
      s2 = add(s2, row[2] + j, q, magnitude);
      s3 = add(s3, row[3] + j, q, magnitude);
    }
    const __m256i lanes =
        _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
    const __m128i totals = _mm_add_epi32(_mm256_castsi256_si128(lanes),
                                         _mm256_extracti128_si256(lanes, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sums), totals);
  }
};

}  // namespace

const CodeDots avx2_code_dots = {"avx2", dots_by_four<Sum4>};
const CodeDots avx512_code_dots = {"avx512", dots_by_four<Sum4>};

}  // namespace lamina::kernels
