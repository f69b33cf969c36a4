#include "kernels/code_dots.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "support/random_points.h"

namespace lamina::kernels {
namespace {

struct Codes {
  Codes(std::size_t row_count, std::size_t dimension, bool extreme)
      : stride(padded(dimension)),
        rows(row_count * stride, 128),
        query(stride, 0) {
    test::Random random(dimension);
    const auto value = [&] {
      return extreme ? 127 : static_cast<int>(random.below(255)) - 127;
    };
    for (std::size_t j = 0; j < dimension; ++j) {
      query[j] = static_cast<std::int8_t>(extreme ? -127 : value());
      code_offset += 128 * query[j];
      for (std::size_t row = 0; row < row_count; ++row) {
        rows[row * stride + j] = static_cast<std::uint8_t>(value() + 128);
      }
    }
  }

  std::int32_t dot(std::size_t row) const {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < stride; ++j) {
      sum += (rows[row * stride + j] - 128) * query[j];
    }
    return sum;
  }

  std::size_t stride;
  std::vector<std::uint8_t> rows;
  std::vector<std::int8_t> query;
  std::int32_t code_offset = 0;
};

void check_sums(const CodeDots& set, const Codes& codes,
                std::span<const std::uint32_t> nodes) {
  std::vector<std::int32_t> dots(nodes.size() + 1, -7);
  set.dots({codes.rows.data(), codes.stride}, nodes.data(), nodes.size(),
           {codes.query.data(), codes.code_offset}, dots.data());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    CHECK(dots[i] == codes.dot(nodes[i]));
  }
  CHECK(dots.back() == -7);
}

}  // namespace

TEST_CASE("every set sums exactly, whatever the dimension and the count") {
  const std::vector<std::uint32_t> nodes = {4, 0, 6, 6, 1, 5, 2, 3, 0};
  for (const CodeDots* set : available_code_dots()) {
    CAPTURE(set->name);
    for (std::size_t dimension : {1u, 63u, 64u, 65u, 384u, 1000u}) {
      CAPTURE(dimension);
      for (bool extreme : {false, true}) {
        const Codes codes(7, dimension, extreme);
        for (std::size_t count = 0; count <= nodes.size(); ++count) {
          check_sums(*set, codes, std::span(nodes).first(count));
        }
      }
    }
  }
}

TEST_CASE("the largest dimension overflows no sum") {
  const Codes codes(2, 65'536, /*extreme=*/true);
  const std::vector<std::uint32_t> nodes = {1, 0, 1};
  for (const CodeDots* set : available_code_dots()) {
    CAPTURE(set->name);
    check_sums(*set, codes, nodes);
  }
}

TEST_CASE("every kernel set has its code dots, of the same name") {
  REQUIRE(available_code_dots().size() == available().size());
  for (std::size_t i = 0; i < available().size(); ++i) {
    CHECK(available_code_dots()[i]->name == available()[i]->name);
  }
  CHECK(active_code_dots().name == active().name);
}

}  // namespace lamina::kernels
