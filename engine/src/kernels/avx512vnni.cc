// AVX-512 with VNNI: 64 products of bytes, summed, in one instruction.
#include "kernels/avx512_common.inc"

namespace lamina::kernels {
namespace {

struct DotStep {
  static constexpr std::size_t kWidth = 64;
  static __m512i load(const CodedQuery& query, std::size_t j) {
    return _mm512_load_si512(query.codes + j);
  }
  static __m512i add(__m512i sum, const std::uint8_t* row, __m512i query) {
    return _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(row), query);
  }
};

std::size_t select_rows(const CodedRows& rows, const CodedQuery& query,
                        float threshold, Candidate* out) {
  return select_with<DotStep>(rows, query, query.code_offset, threshold, out);
}

}  // namespace

const KernelSet avx512vnni = {
    "avx512vnni", select_rows,      select_rows_by_difference,
    dot,          squared_distance, absolute_distance};

}  // namespace lamina::kernels
