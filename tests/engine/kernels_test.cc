#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/quantize.h"
#include "rows/row_table.h"
#include "support/random_points.h"

namespace lamina::kernels {
namespace {

constexpr std::uint64_t kSeed = 11;
constexpr std::size_t kDimensions[] = {1,  7,   8,   9,   63,  64,
                                       65, 383, 384, 385, 1000};

std::uint64_t bits(double value) {
  std::uint64_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

std::vector<float> padded_vector(test::Random* random, std::size_t dimension) {
  std::vector<float> values = random->vector(dimension);
  values.resize(padded(dimension), 0.0f);
  return values;
}

struct AlignedQuery {
  rows::AlignedArray<std::int8_t> codes;
  rows::AlignedArray<std::int16_t> wide;
  rows::AlignedArray<std::uint8_t> shifted;
  CodedQuery coded;
};

AlignedQuery code(const std::vector<float>& values, std::size_t dimension) {
  const std::size_t stride = padded(dimension);
  AlignedQuery query = {rows::make_aligned_array<std::int8_t>(stride),
                        rows::make_aligned_array<std::int16_t>(stride),
                        rows::make_aligned_array<std::uint8_t>(stride),
                        {}};
  const Quantized quantized =
      quantize(values.data(), dimension, 1.0, nullptr, query.codes.get());
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < stride; ++j) {
    query.wide[j] = query.codes[j];
    query.shifted[j] = static_cast<std::uint8_t>(query.codes[j] + 128);
    sum += query.codes[j];
  }
  query.coded = {.codes = query.codes.get(),
                 .wide = query.wide.get(),
                 .shifted = query.shifted.get(),
                 .code_offset = 128 * sum,
                 .scale = quantized.scale,
                 .constant = 0.25f,
                 .base_error = 1e-6f,
                 .norm_weight = quantized.residual,
                 .residual_weight = 1.0f,
                 .bias_weight = 0x1p-19f};
  return query;
}

void check_same(const std::vector<Candidate>& a,
                const std::vector<Candidate>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].row == b[i].row);
    CHECK(std::memcmp(&a[i].lower, &b[i].lower, sizeof(float)) == 0);
    CHECK(std::memcmp(&a[i].upper, &b[i].upper, sizeof(float)) == 0);
  }
}

using SelectFn = decltype(KernelSet::select_rows) KernelSet::*;

std::vector<Candidate> select(const KernelSet& kernels, SelectFn function,
                              const CodedRows& rows, const CodedQuery& query,
                              float threshold) {
  std::vector<Candidate> found(kBlockRows);
  found.resize((kernels.*function)(rows, query, threshold, found.data()));
  return found;
}

TEST_CASE("every kernel set gives the exact scores of the portable one") {
  for (const KernelSet* kernels : available()) {
    for (const std::size_t dimension : kDimensions) {
      CAPTURE(kernels->name);
      CAPTURE(dimension);
      test::Random random(kSeed);
      const std::vector<float> a = padded_vector(&random, dimension);
      const std::vector<float> b = padded_vector(&random, dimension);
      CHECK(bits(kernels->dot(a.data(), b.data(), a.size())) ==
            bits(portable.dot(a.data(), b.data(), a.size())));
      CHECK(bits(kernels->squared_distance(a.data(), b.data(), a.size())) ==
            bits(portable.squared_distance(a.data(), b.data(), a.size())));
      CHECK(bits(kernels->absolute_distance(a.data(), b.data(), a.size())) ==
            bits(portable.absolute_distance(a.data(), b.data(), a.size())));
    }
  }
}

TEST_CASE("exact sums hold the real value within double rounding") {
  test::Random random(kSeed);
  const std::vector<float> a = padded_vector(&random, 384);
  const std::vector<float> b = padded_vector(&random, 384);
  long double dot = 0;
  long double square = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    dot += static_cast<long double>(a[j]) * b[j];
    const long double difference = static_cast<long double>(a[j]) - b[j];
    square += difference * difference;
  }
  const auto expected_dot = static_cast<double>(dot);
  const auto expected_square = static_cast<double>(square);
  CHECK(portable.dot(a.data(), b.data(), a.size()) ==
        doctest::Approx(expected_dot).epsilon(1e-13));
  CHECK(portable.squared_distance(a.data(), b.data(), a.size()) ==
        doctest::Approx(expected_square).epsilon(1e-13));
}

void check_selection(SelectFn function, const CodedRows& coded,
                     const CodedQuery& query) {
  const float all = -std::numeric_limits<float>::infinity();
  const std::vector<Candidate> every =
      select(portable, function, coded, query, all);
  REQUIRE(every.size() == coded.count);
  const float threshold = every[coded.count / 2].upper;
  for (const KernelSet* kernels : available()) {
    CAPTURE(kernels->name);
    check_same(select(*kernels, function, coded, query, all), every);
    check_same(select(*kernels, function, coded, query, threshold),
               select(portable, function, coded, query, threshold));
  }
}

TEST_CASE("every kernel set selects the rows of the portable one") {
  for (const std::size_t dimension : kDimensions) {
    for (const std::size_t count : {1u, 3u, 4u, 15u, 16u, 17u, 63u, 64u}) {
      test::Random random(kSeed + count);
      rows::RowTable table(dimension, Metric::euclid);
      for (std::size_t i = 0; i < count; ++i) {
        table.put(PointId(i), random.vector(dimension), {}, 1);
      }
      const AlignedQuery query =
          code(padded_vector(&random, dimension), dimension);
      CAPTURE(dimension);
      CAPTURE(count);
      check_selection(&KernelSet::select_rows, table.coded_rows(0),
                      query.coded);
      check_selection(&KernelSet::select_rows_by_difference,
                      table.coded_rows(0), query.coded);
    }
  }
}

TEST_CASE("every kernel set keeps a row whose bound is not a number") {
  // |x|^2 is beyond float: the bias is minus infinity, the error infinite.
  rows::RowTable table(3, Metric::euclid);
  table.put(PointId(1), std::vector<float>{3e38f, 3e38f, 3e38f}, {}, 1);
  test::Random random(kSeed);
  const AlignedQuery query = code(padded_vector(&random, 3), 3);
  for (const KernelSet* kernels : available()) {
    CAPTURE(kernels->name);
    CHECK(select(*kernels, &KernelSet::select_rows, table.coded_rows(0),
                 query.coded, 1e30f)
              .size() == 1);
  }
}

TEST_CASE("the portable kernels are always there, and come first") {
  REQUIRE_FALSE(available().empty());
  CHECK(available().front() == &portable);
}

}  // namespace
}  // namespace lamina::kernels
