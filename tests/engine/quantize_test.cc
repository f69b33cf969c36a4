#include "kernels/quantize.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/random_points.h"

namespace lamina::kernels {
namespace {

std::vector<float> in_whole_lines(const float* values, std::size_t count) {
  std::vector<float> lines(values, values + count);
  lines.resize(padded(count), 0.0f);
  return lines;
}

void check_bounds(const std::vector<float>& values, double factor,
                  const float* center = nullptr) {
  std::vector<std::int8_t> codes(padded(values.size()), 99);
  const std::vector<float> input = in_whole_lines(values.data(), values.size());
  const std::vector<float> middle = center == nullptr
                                        ? std::vector<float>()
                                        : in_whole_lines(center, values.size());
  const Quantized q = quantize({input.data(), input.size(), factor,
                                center == nullptr ? nullptr : middle.data()},
                               codes.data());
  long double norm = 0;
  long double rest = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const long double coded = static_cast<long double>(q.scale) * codes[j];
    const long double value = static_cast<long double>(values[j]) * factor -
                              (center == nullptr ? 0.0f : center[j]);
    norm += coded * coded;
    rest += (value - coded) * (value - coded);
  }
  CHECK(static_cast<long double>(q.norm) >= std::sqrt(norm));
  CHECK(static_cast<long double>(q.residual) >= std::sqrt(rest));
  for (std::size_t j = values.size(); j < codes.size(); ++j) {
    CHECK(codes[j] == 0);
  }
}

TEST_CASE("norm and residual bound what quantising leaves and takes away") {
  test::Random random(5);
  for (const std::size_t dimension : {1u, 2u, 64u, 65u, 384u, 4096u}) {
    for (int i = 0; i < 20; ++i) {
      CAPTURE(dimension);
      check_bounds(random.vector(dimension), 1.0);
      check_bounds(random.vector(dimension), 1.0 / 3.0);
      const std::vector<float> center = random.vector(dimension);
      check_bounds(random.vector(dimension), 1.0, center.data());
      // Next to the centre, nearly all of the value cancels.
      check_bounds(center, 1.0 + 1e-7, center.data());
    }
  }
}

TEST_CASE("the residual of ordinary values is small") {
  test::Random random(6);
  const std::vector<float> values = random.vector(384);
  std::vector<std::int8_t> codes(padded(values.size()));
  const Quantized q =
      quantize({values.data(), values.size(), 1.0, nullptr}, codes.data());
  // Half a step a component at most, a third of that squared on average.
  CHECK(q.residual < 0.5f * q.scale * std::sqrt(384.0f));
}

TEST_CASE("bounds hold at the ends of float's range") {
  check_bounds({3.4e38f, -3.4e38f, 1.0f}, 1.0);
  check_bounds({1e-45f, -3e-45f, 0.0f}, 1.0);
  check_bounds({1e38f, 1e-38f, -0.0f}, 1.0);
  check_bounds({0.0f, -0.0f}, 1.0);
  check_bounds({1e-30f, 2e-30f}, 1e30);
}

TEST_CASE(
    "on a grid the bounds are of sums of magnitudes, also beyond its end") {
  test::Random random(7);
  for (const float step : {0.0f, 1e-3f, 0.01f, 1.0f}) {
    const std::vector<float> values = random.vector(100);
    const std::vector<float> center = random.vector(100);
    std::vector<std::int8_t> codes(padded(100), 99);
    const Quantized q =
        quantize_on_grid(values.data(), 100, center.data(), step, codes.data());
    long double norm = 0;
    long double rest = 0;
    for (std::size_t j = 0; j < 100; ++j) {
      const long double coded = static_cast<long double>(step) * codes[j];
      norm += std::fabs(coded);
      rest +=
          std::fabs(static_cast<long double>(values[j]) - center[j] - coded);
    }
    CAPTURE(step);
    CHECK(static_cast<long double>(q.norm) >= norm);
    CHECK(static_cast<long double>(q.residual) >= rest);
    CHECK(static_cast<long double>(q.residual) <= rest * 1.0001L);
    CHECK(codes[100] == 0);
  }
}

TEST_CASE("rounding up never rounds down") {
  CHECK(round_up(0.1) >= 0.1);
  CHECK(double{round_up(1.0 + 1e-12)} > 1.0);
  CHECK(round_up(1.0) == 1.0f);
  CHECK(double{round_up(1e-60)} >= 1e-60);
  CHECK(std::isinf(round_up(1e60)));
}

}  // namespace
}  // namespace lamina::kernels
