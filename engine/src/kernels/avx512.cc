// AVX-512 without VNNI: bytes are widened to 16 bits and multiplied in pairs.
#include "kernels/avx512_axes.inc"

namespace lamina::kernels {
namespace {

struct DotStep {
  static constexpr std::size_t kWidth = 32;
  static __m512i load(const CodedQuery& query, std::size_t j) {
    return _mm512_cvtepi8_epi16(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(query.codes + j)));
  }
  static std::int32_t offset(const CodedQuery& query) {
    return query.code_offset;
  }
  static __m512i add(__m512i sum, const std::uint8_t* row, __m512i query) {
    const __m512i wide = _mm512_cvtepu8_epi16(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
    return _mm512_add_epi32(sum, _mm512_madd_epi16(wide, query));
  }
};

// The sums of 16 rows, two parts each: rows 0 to 7 in `low`, the others in
// `high`.
struct AxisSums {
  struct Rows {
    __m512i low;
    __m512i high;
  };

  __m512i low = _mm512_setzero_si512();
  __m512i high = _mm512_setzero_si512();

  static __m512i widen_codes(const std::uint8_t* codes) {
    return _mm512_cvtepu8_epi16(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes)));
  }
  static Rows load(const std::uint8_t* codes) {
    return {widen_codes(codes), widen_codes(codes + 32)};
  }
  void add(const Rows& rows, const AxisQuery& query, std::size_t j) {
    long long four;
    __builtin_memcpy(&four, query.wide + j, sizeof(four));
    const __m512i factors = _mm512_set1_epi64(four);
    low = _mm512_add_epi32(low, _mm512_madd_epi16(rows.low, factors));
    high = _mm512_add_epi32(high, _mm512_madd_epi16(rows.high, factors));
  }
  __m512i total() const {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                           20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    return _mm512_add_epi32(_mm512_permutex2var_epi32(low, even, high),
                            _mm512_permutex2var_epi32(low, odd, high));
  }
};

void bound_rows(const AxisRows& rows, const AxisQuery* queries,
                std::size_t query_count, float* const* uppers) {
  bound_with<AxisSums>(rows, queries, query_count, uppers);
}

}  // namespace

const KernelSet avx512 = {"avx512",
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
