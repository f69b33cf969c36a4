// AVX-512 with VNNI: 64 products of bytes, summed, in one instruction.
#include "kernels/avx512_common.inc"

namespace lamina::kernels {
namespace {

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
    for (std::size_t j = 0; j < stride; j += 64) {
      const __m512i q = _mm512_load_si512(query.codes + j);
      s0 = _mm512_dpbusd_epi32(s0, _mm512_loadu_si512(row[0] + j), q);
      s1 = _mm512_dpbusd_epi32(s1, _mm512_loadu_si512(row[1] + j), q);
      s2 = _mm512_dpbusd_epi32(s2, _mm512_loadu_si512(row[2] + j), q);
      s3 = _mm512_dpbusd_epi32(s3, _mm512_loadu_si512(row[3] + j), q);
    }
    _mm_store_si128(reinterpret_cast<__m128i*>(sums + i),
                    sum_four(s0, s1, s2, s3));
  }
  return select_from_sums(rows, query, sums, threshold, out);
}

}  // namespace

const KernelSet avx512vnni = {"avx512vnni", select_rows, dot, squared_distance};

}  // namespace lamina::kernels
