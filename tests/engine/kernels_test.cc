#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
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
  rows::AlignedArray<std::int16_t> wide;  // For AxisQuery.
  rows::AlignedArray<std::uint8_t> shifted;
  CodedQuery coded;
};

AlignedQuery code(const std::vector<float>& values) {
  const std::size_t stride = values.size();
  AlignedQuery query = {rows::make_aligned_array<std::int8_t>(stride),
                        rows::make_aligned_array<std::int16_t>(stride),
                        rows::make_aligned_array<std::uint8_t>(stride),
                        {}};
  const Quantized quantized =
      quantize({values.data(), stride, 1.0, nullptr}, query.codes.get());
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < stride; ++j) {
    query.wide[j] = query.codes[j];
    query.shifted[j] = static_cast<std::uint8_t>(query.codes[j] + 128);
    sum += query.codes[j];
  }
  query.coded = {.codes = query.codes.get(),
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
      const AlignedQuery query = code(padded_vector(&random, dimension));
      CAPTURE(dimension);
      CAPTURE(count);
      check_selection(&KernelSet::select_rows, table.coded_rows(0),
                      query.coded);
      check_selection(&KernelSet::select_rows_by_difference,
                      table.coded_rows(0), query.coded);
    }
  }
}

TEST_CASE("every kernel set keeps a row whose bound is beyond float") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  test::Random random(kSeed);
  const AlignedQuery query = code(padded_vector(&random, 3));
  rows::RowTable table(3, Metric::euclid);
  table.put(PointId(1), std::vector<float>{1.0f, 2.0f, 3.0f}, {}, 1);
  CodedRows rows = table.coded_rows(0);
  const std::uint32_t first = 0;
  // Estimates of minus infinity, of no number, and of plus infinity.
  for (const float bias : {-kInfinity, std::nanf(""), kInfinity}) {
    rows.bias = &bias;
    CodedQuery coded = query.coded;
    coded.bias_weight = 0.0f;
    for (const KernelSet* kernels : available()) {
      CAPTURE(kernels->name);
      CAPTURE(bias);
      const std::vector<Candidate> found =
          select(*kernels, &KernelSet::select_rows, rows, coded, 1e30f);
      REQUIRE(found.size() == 1);
      CHECK(found[0].lower == -kInfinity);
      CHECK(found[0].upper == kInfinity);
      Candidate listed;
      REQUIRE(kernels->select_listed(rows, coded, &first, 1, 1e30f, &listed) ==
              1);
      CHECK(listed.upper == kInfinity);
    }
  }
}

TEST_CASE("rows of a list are selected as those of a run are") {
  test::Random random(kSeed);
  rows::RowTable table(385, Metric::euclid);
  for (std::size_t i = 0; i < kBlockRows; ++i) {
    table.put(PointId(i), random.vector(385), {}, 1);
  }
  const AlignedQuery query = code(padded_vector(&random, 385));
  const CodedRows run = table.coded_rows(0);
  const float all = -std::numeric_limits<float>::infinity();
  const std::vector<Candidate> every =
      select(portable, &KernelSet::select_rows, run, query.coded, all);
  const float threshold = every[kBlockRows / 2].upper;
  for (const std::size_t count : {0u, 1u, 3u, 4u, 5u, 29u}) {
    std::vector<std::uint32_t> indices;
    std::vector<Candidate> expected;
    for (std::size_t i = 0; i < count; ++i) {
      indices.push_back(static_cast<std::uint32_t>(random.below(kBlockRows)));
      Candidate candidate = every[indices[i]];
      candidate.row = static_cast<std::uint32_t>(i);
      if (candidate.upper >= threshold) expected.push_back(candidate);
    }
    for (const KernelSet* kernels : available()) {
      CAPTURE(kernels->name);
      CAPTURE(count);
      std::vector<Candidate> found(count);
      found.resize(kernels->select_listed(run, query.coded, indices.data(),
                                          count, threshold, found.data()));
      check_same(found, expected);
    }
  }
}

// Rows and a query of random or of extreme codes.
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

void check_sums(const KernelSet& kernels, const Codes& codes,
                std::span<const std::uint32_t> indices) {
  std::vector<std::int32_t> sums(indices.size() + 1, -7);
  kernels.sum_listed(
      {.codes = codes.rows.data(), .stride = codes.stride},
      {.codes = codes.query.data(), .code_offset = codes.code_offset},
      indices.data(), indices.size(), sums.data());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    CHECK(sums[i] == codes.dot(indices[i]));
  }
  CHECK(sums.back() == -7);
}

TEST_CASE("every kernel set sums exactly, whatever the dimension and count") {
  const std::vector<std::uint32_t> indices = {4, 0, 6, 6, 1, 5, 2, 3, 0};
  for (const KernelSet* kernels : available()) {
    CAPTURE(kernels->name);
    for (const std::size_t dimension : {1u, 63u, 64u, 65u, 384u, 1000u}) {
      CAPTURE(dimension);
      for (const bool extreme : {false, true}) {
        const Codes codes(7, dimension, extreme);
        for (std::size_t count = 0; count <= indices.size(); ++count) {
          check_sums(*kernels, codes, std::span(indices).first(count));
        }
      }
    }
  }
}

TEST_CASE("the largest dimension overflows no sum") {
  const Codes codes(2, 65'536, /*extreme=*/true);
  const std::vector<std::uint32_t> indices = {1, 0, 1};
  for (const KernelSet* kernels : available()) {
    CAPTURE(kernels->name);
    check_sums(*kernels, codes, indices);
  }
}

// Random rows along axes, and queries of them.
struct AxisCase {
  AxisCase(std::size_t axis_count, std::size_t row_count, test::Random* random)
      : codes(row_count * axis_count) {
    for (std::uint8_t& code : codes) {
      code = static_cast<std::uint8_t>(1 + random->below(255));
    }
    for (std::size_t i = 0; i < row_count; ++i) {
      scales.push_back(1.0f + random->uniform() * 0.5f);
      norms.push_back(2.0f + random->uniform());
      rests.push_back(1.0f + random->uniform());
      biases.push_back(random->uniform() * 100.0f);
    }
    scales[0] = std::numeric_limits<float>::infinity();
    norms[1] = std::numeric_limits<float>::quiet_NaN();
    biases[2] = -std::numeric_limits<float>::infinity();
    rows = {codes.data(), axis_count,    scales.data(), norms.data(),
            rests.data(), biases.data(), row_count};
  }

  std::vector<std::uint8_t> codes;
  std::vector<float> scales;
  std::vector<float> norms;
  std::vector<float> rests;
  std::vector<float> biases;
  AxisRows rows{};
};

std::vector<float> uppers_of(const KernelSet& kernels, const AxisRows& rows,
                             const std::vector<AxisQuery>& queries) {
  std::vector<float> uppers(rows.count * queries.size(), -1.0f);
  std::vector<float*> places;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    places.push_back(uppers.data() + q * rows.count);
  }
  kernels.bound_rows(rows, queries.data(), queries.size(), places.data());
  return uppers;
}

TEST_CASE("every kernel set bounds rows along axes as the definition says") {
  test::Random random(kSeed);
  for (const std::size_t axis_count : {4u, 8u, 32u, 160u}) {
    for (const std::size_t query_count : {1u, 2u, 4u, 5u, 9u}) {
      for (const std::size_t row_count : {16u, 48u, 64u, 80u, 272u}) {
        const AxisCase rows(axis_count, row_count, &random);
        std::vector<AlignedQuery> coded;
        std::vector<AxisQuery> queries;
        for (std::size_t q = 0; q < query_count; ++q) {
          coded.push_back(code(padded_vector(&random, axis_count)));
          const CodedQuery& one = coded.back().coded;
          queries.push_back({one.codes, coded.back().wide.get(),
                             one.code_offset, one.scale, 0.25f, 1e-3f, 0.5f,
                             0.125f, 0.75f, 0x1p-10f});
        }
        CAPTURE(axis_count);
        CAPTURE(query_count);
        CAPTURE(row_count);
        const std::vector<float> expected =
            uppers_of(portable, rows.rows, queries);
        for (const float place : {expected[0], expected[1], expected[2]}) {
          CHECK(place == std::numeric_limits<float>::infinity());
        }
        std::int32_t sum = 0;
        for (std::size_t j = 0; j < axis_count; ++j) {
          const std::size_t at = j / 4 * 64 + 5 * 4 + j % 4;
          sum += (rows.codes[at] - 128) * queries[0].codes[j];
        }
        const double row_five =
            sum * double{queries[0].scale} * rows.scales[5] + rows.biases[5] +
            0.25 + 0.5 * rows.scales[5] + 0.125 * rows.norms[5] +
            0.75 * rows.rests[5] + 0x1p-10 * std::fabs(rows.biases[5]) + 1e-3;
        CHECK(expected[5] == doctest::Approx(row_five).epsilon(1e-5));
        for (const KernelSet* kernels : available()) {
          CAPTURE(kernels->name);
          CHECK(uppers_of(*kernels, rows.rows, queries) == expected);
        }
      }
    }
  }
}

TEST_CASE("every kernel set lists the values that are not below a threshold") {
  test::Random random(kSeed);
  for (const std::size_t count : {0u, 1u, 7u, 8u, 15u, 16u, 17u, 100u}) {
    std::vector<float> values = random.vector(count);
    if (count > 3) {
      values[1] = std::numeric_limits<float>::quiet_NaN();
      values[2] = std::numeric_limits<float>::infinity();
      values[3] = 0.25f;
    }
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(values[i] < 0.25f)) {
        expected.push_back(static_cast<std::uint32_t>(i));
      }
    }
    for (const KernelSet* kernels : available()) {
      CAPTURE(kernels->name);
      CAPTURE(count);
      std::vector<std::uint32_t> found(count);
      found.resize(
          kernels->select_above(values.data(), count, 0.25f, found.data()));
      CHECK(found == expected);
    }
  }
}

TEST_CASE("every kernel set projects within float rounding") {
  test::Random random(kSeed);
  const std::size_t stride = padded(385);
  const std::vector<float> values = padded_vector(&random, 385);
  std::vector<std::int16_t> axes(12 * stride);
  for (std::int16_t& unit : axes) {
    unit = static_cast<std::int16_t>(random.below(65535));
  }
  for (const KernelSet* kernels : available()) {
    CAPTURE(kernels->name);
    float along[12];
    kernels->project(axes.data(), 12, stride, values.data(), along);
    for (std::size_t i = 0; i < 12; ++i) {
      double product = 0;
      double magnitude = 0;
      for (std::size_t j = 0; j < stride; ++j) {
        const double term = double{values[j]} * axes[i * stride + j];
        product += term;
        magnitude += std::fabs(term);
      }
      CHECK(std::fabs(along[i] - product) <= magnitude * 385 * 0x1p-24);
    }
  }
}

TEST_CASE("every kernel set codes a vector as the portable one does") {
  test::Random random(kSeed);
  for (const std::size_t dimension : kDimensions) {
    const std::vector<float> values = padded_vector(&random, dimension);
    const std::vector<float> center = padded_vector(&random, dimension);
    for (const float* middle :
         {center.data(), static_cast<const float*>(nullptr)}) {
      const Shifted v = {values.data(), values.size(), 0.3, middle};
      const Extent extent = portable.extent(v);
      // A scale that is too small makes codes that must be held.
      const auto scale = static_cast<float>(extent.largest / 200.0);
      std::vector<std::int8_t> expected(values.size());
      const CodeSquares squares = portable.encode(v, scale, expected.data());
      CHECK(*std::max_element(expected.begin(), expected.end()) <= 127);
      CHECK(*std::min_element(expected.begin(), expected.end()) >= -127);
      for (const KernelSet* kernels : available()) {
        CAPTURE(kernels->name);
        CAPTURE(dimension);
        const Extent other = kernels->extent(v);
        CHECK(bits(other.largest) == bits(extent.largest));
        CHECK(bits(other.square) == bits(extent.square));
        CHECK(bits(other.input_square) == bits(extent.input_square));
        std::vector<std::int8_t> codes(values.size());
        const CodeSquares sums = kernels->encode(v, scale, codes.data());
        CHECK(codes == expected);
        CHECK(bits(sums.codes) == bits(squares.codes));
        CHECK(bits(sums.rest) == bits(squares.rest));
      }
    }
  }
}

TEST_CASE("every kernel set adds a multiple within float rounding") {
  test::Random random(kSeed);
  const std::vector<float> x = padded_vector(&random, 384);
  const std::vector<float> y = padded_vector(&random, 384);
  for (const KernelSet* kernels : available()) {
    CAPTURE(kernels->name);
    std::vector<float> sum = y;
    kernels->add_scaled(0.7f, x.data(), sum.data(), sum.size());
    for (std::size_t j = 0; j < sum.size(); ++j) {
      CHECK(std::fabs(sum[j] - (0.7f * double{x[j]} + y[j])) <= 0x1p-22);
    }
  }
}

TEST_CASE("the portable kernels are always there, and come first") {
  REQUIRE_FALSE(available().empty());
  CHECK(available().front() == &portable);
}

}  // namespace
}  // namespace lamina::kernels
