#include "core/generated_data.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/schedule.h"

namespace lamina::bench {
namespace {

constexpr std::size_t kClusters = 200;
// 0.7 * centre + noise, in tenths.
constexpr std::int32_t kCentreWeight = 7;
constexpr std::int32_t kNoiseWeight = 10;

constexpr std::array kShapes{
    GeneratedShape{"clustered-10k-384", 10'000, 384, kClusters},
    GeneratedShape{"random-10k-384", 10'000, 384, 0},
    GeneratedShape{"clustered-100k-384", 100'000, 384, kClusters},
    GeneratedShape{"clustered-100k-768", 100'000, 768, kClusters},
    GeneratedShape{"clustered-1m-384", 1'000'000, 384, kClusters},
};

// Close to a normal distribution: the sum of four uniform numbers of 16 bits,
// less its mean.
std::int32_t bell(std::uint64_t random) {
  std::int32_t sum = -131'070;
  for (int part = 0; part < 4; ++part)
    sum += static_cast<std::int32_t>(random >> (16 * part) & 0xffffu);
  return sum;
}

class Generator {
 public:
  Generator(const GeneratedShape& shape, std::uint64_t seed)
      : shape_(shape), state_(seed), sums_(shape.dimension) {
    centres_.reserve(shape.clusters * shape.dimension);
    for (std::size_t i = 0; i < shape.clusters * shape.dimension; ++i)
      centres_.push_back(bell(next_random(&state_)));
  }

  NpyMatrix<float> matrix(std::size_t rows) {
    NpyMatrix<float> matrix{rows, shape_.dimension, {}};
    matrix.values.resize(rows * shape_.dimension);
    for (std::size_t row = 0; row < rows; ++row)
      write_row(matrix.values.data() + row * shape_.dimension);
    return matrix;
  }

 private:
  void write_row(float* row) {
    const std::int32_t* centre = nullptr;
    if (shape_.clusters > 0) {
      centre = centres_.data() +
               next_random(&state_) % shape_.clusters * shape_.dimension;
    }
    std::int64_t square = 0;
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      sums_[j] = kNoiseWeight * bell(next_random(&state_));
      if (centre != nullptr) sums_[j] += kCentreWeight * centre[j];
      square += std::int64_t{sums_[j]} * sums_[j];
    }
    const double scale = 1.0 / std::sqrt(static_cast<double>(square));
    for (std::size_t j = 0; j < sums_.size(); ++j)
      row[j] = static_cast<float>(sums_[j] * scale);
  }

  const GeneratedShape& shape_;
  std::uint64_t state_;
  std::vector<std::int32_t> centres_;
  std::vector<std::int32_t> sums_;
};

}  // namespace

std::span<const GeneratedShape> generated_shapes() { return kShapes; }

const GeneratedShape* find_generated_shape(std::string_view name) {
  for (const GeneratedShape& shape : kShapes) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

DataSet generate(const GeneratedShape& shape, std::size_t queries,
                 std::uint64_t seed) {
  Generator generator(shape, seed);
  DataSet data;
  data.name = shape.name;
  data.base = generator.matrix(shape.rows);
  data.queries = generator.matrix(queries);
  return data;
}

}  // namespace lamina::bench
