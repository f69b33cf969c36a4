// AVX-512 without VNNI: bytes are widened to 16 bits and multiplied in pairs.
#include "kernels/avx512_common.inc"

namespace lamina::kernels {
namespace {

inline __m512i multiply_add(__m512i sum, const std::uint8_t* row,
                            __m512i query) {
  const __m512i wide = _mm512_cvtepu8_epi16(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
  return _mm512_add_epi32(sum, _mm512_madd_epi16(wide, query));
}

std::size_t select_rows(const CodedRows& rows, const CodedQuery& query,
                        float threshold, Candidate* out) {
  alignas(64) std::int32_t sums[kBlockRows];
  const std::size_t stride = rows.stride;
  for (std::size_t i = 0; i < rows.count; i += 4) {
    // The last rows stand in for missing ones; their sums are not looked at.
    const std::uint8_t* row[4];
    for (std::size_t r = 0; r < 4; ++r) {
      const std::size_t index = i + r < rows.count ? i + r : rows.count - 1;
      row[r] = rows.codes + index * stride;
    }
    __m512i s0 = _mm512_setzero_si512();
    __m512i s1 = s0;
    __m512i s2 = s0;
    __m512i s3 = s0;
    for (std::size_t j = 0; j < stride; j += 32) {
      const __m512i q = _mm512_load_si512(query.wide + j);
      s0 = multiply_add(s0, row[0] + j, q);
      s1 = multiply_add(s1, row[1] + j, q);
      s2 = multiply_add(s2, row[2] + j, q);
      s3 = multiply_add(s3, row[3] + j, q);
    }
    _mm_store_si128(reinterpret_cast<__m128i*>(sums + i),
                    sum_four(s0, s1, s2, s3));
  }
  return select_from_sums(rows, query, sums, threshold, out);
}

}  // namespace

const KernelSet avx512 = {"avx512", select_rows, dot, squared_distance};

}  // namespace lamina::kernels
