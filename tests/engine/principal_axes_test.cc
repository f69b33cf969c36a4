#include "rows/principal_axes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "kernels/kernels.h"
#include "support/random_points.h"

namespace lamina::rows {
namespace {

// Samples that spread most along the last coordinates: coordinate j by j.
Samples spreading_samples(std::size_t count, std::size_t dimension) {
  test::Random random(61);
  Samples samples = {{}, count, kernels::padded(dimension)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < samples.stride; ++j) {
      const float spread = j < dimension ? static_cast<float>(j) : 0.0f;
      samples.values.push_back(random.uniform() * spread * spread);
    }
  }
  return samples;
}

double dot(const Samples& axes, std::size_t a, std::size_t b) {
  return kernels::active().dot(axes[a], axes[b], axes.stride);
}

void check_orthonormal(const Samples& axes) {
  for (std::size_t a = 0; a < axes.count; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      CHECK(dot(axes, a, b) ==
            doctest::Approx(a == b ? 1.0 : 0.0).epsilon(1e-5));
    }
  }
}

TEST_CASE("axes are at right angles, of length one, and hold the most spread") {
  const Samples samples = spreading_samples(500, 40);
  const Samples axes = principal_axes(samples, 40, 10);
  REQUIRE(axes.count == 10);
  check_orthonormal(axes);
  double held = 0.0;
  double most = 0.0;
  for (std::size_t i = 0; i < samples.count; ++i) {
    for (std::size_t a = 0; a < axes.count; ++a) {
      held += std::pow(
          kernels::active().dot(samples[i], axes[a], samples.stride), 2);
    }
    for (std::size_t j = 30; j < 40; ++j) most += std::pow(samples[i][j], 2);
  }
  CHECK(held > 0.98 * most);
}

TEST_CASE("samples that fill fewer directions than asked still give axes") {
  Samples samples = spreading_samples(200, 40);
  for (std::size_t i = 0; i < samples.count; ++i) {
    for (std::size_t j = 0; j < 38; ++j) samples[i][j] = 0.0f;
  }
  check_orthonormal(principal_axes(samples, 40, 10));
  samples.values.assign(samples.values.size(), 0.0f);
  check_orthonormal(principal_axes(samples, 40, 10));
}

}  // namespace
}  // namespace lamina::rows
