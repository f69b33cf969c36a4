#include "support/random_points.h"

namespace lamina::test {

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

float Random::uniform() {
  const auto bits = static_cast<std::int32_t>(next() >> 40);  // 24 bits
  return static_cast<float>(bits - (1 << 23)) / static_cast<float>(1 << 23);
}

std::vector<float> Random::vector(std::size_t dimension) {
  std::vector<float> values(dimension);
  for (float& value : values) value = uniform();
  return values;
}

RandomPoints::RandomPoints(std::size_t count, std::size_t dimension,
                           std::uint64_t seed, std::uint64_t first_id)
    : values_(Random(seed).vector(count * dimension)) {
  points_.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    points_.push_back(
        {.id = first_id + index,
         .vector = VectorView(values_).subspan(index * dimension, dimension),
         .payload = {}});
  }
}

}  // namespace lamina::test
