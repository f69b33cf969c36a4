#include "kernels/code_dots.inc"

namespace lamina::kernels {
namespace {

struct Sum4 {
  static void of(const std::uint8_t* const (&row)[4],
                 const CodeDotsQuery& query, std::size_t stride,
                 std::int32_t (&sums)[4]) {
    for (std::size_t r = 0; r < 4; ++r) {
      std::int32_t sum = 0;
      for (std::size_t j = 0; j < stride; ++j) {
        sum += std::int32_t{row[r][j]} * std::int32_t{query.codes[j]};
      }
      sums[r] = sum - query.code_offset;
    }
  }
};

}  // namespace

const CodeDots portable_code_dots = {"portable", dots_by_four<Sum4>};

}  // namespace lamina::kernels
