// AVX-512 with VNNI: 64 products of bytes, summed, in one instruction.
#include "kernels/avx512_axes.inc"

namespace lamina::kernels {
namespace {

struct DotStep {
  static constexpr std::size_t kWidth = 64;
  static __m512i load(const CodedQuery& query, std::size_t j) {
    return _mm512_loadu_si512(query.codes + j);
  }
  static std::int32_t offset(const CodedQuery& query) {
    return query.code_offset;
  }
  static __m512i add(__m512i sum, const std::uint8_t* row, __m512i query) {
    return _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(row), query);
  }
};

// The sums of 16 rows.
struct AxisSums {
  __m512i sum = _mm512_setzero_si512();

  static __m512i load(const std::uint8_t* codes) {
    return _mm512_loadu_si512(codes);
  }
  void add(__m512i rows, const AxisQuery& query, std::size_t j) {
    std::int32_t four;
    __builtin_memcpy(&four, query.codes + j, sizeof(four));
    sum = _mm512_dpbusd_epi32(sum, rows, _mm512_set1_epi32(four));
  }
  __m512i total() const { return sum; }
};

void bound_rows(const AxisRows& rows, const AxisQuery* queries,
                std::size_t query_count, float* const* uppers) {
  bound_with<AxisSums>(rows, queries, query_count, uppers);
}

}  // namespace

const KernelSet avx512vnni = {"avx512vnni",
                              select_block<DotStep>,
                              select_block<DifferenceStep>,
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
