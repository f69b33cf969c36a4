// AVX-512 without VNNI: bytes are widened to 16 bits and multiplied in pairs.
#include "kernels/avx512_common.inc"

namespace lamina::kernels {
namespace {

struct DotStep {
  static constexpr std::size_t kWidth = 32;
  static __m512i load(const CodedQuery& query, std::size_t j) {
    return _mm512_load_si512(query.wide + j);
  }
  static __m512i add(__m512i sum, const std::uint8_t* row, __m512i query) {
    const __m512i wide = _mm512_cvtepu8_epi16(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
    return _mm512_add_epi32(sum, _mm512_madd_epi16(wide, query));
  }
};

std::size_t select_rows(const CodedRows& rows, const CodedQuery& query,
                        float threshold, Candidate* out) {
  return select_with<DotStep>(rows, query, query.code_offset, threshold, out);
}

}  // namespace

const KernelSet avx512 = {"avx512", select_rows,      select_rows_by_difference,
                          dot,      squared_distance, absolute_distance};

}  // namespace lamina::kernels
