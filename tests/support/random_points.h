#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lamina/results.h"

namespace lamina::test {

// Numbers that look random and are the same for one seed on every machine and
// every standard library (SplitMix64).
//
// Thread safety: none.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  // In [0, bound); bound must not be 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  // In [-1, 1), a multiple of 2^-23.
  float uniform();
  std::vector<float> vector(std::size_t dimension);

 private:
  std::uint64_t state_;
};

// `count` points with ids `first_id`, `first_id` + 1, ..., random vectors and
// no payload, together with the values that their vectors point to.
class RandomPoints {
 public:
  RandomPoints(std::size_t count, std::size_t dimension, std::uint64_t seed,
               std::uint64_t first_id = 0);
  RandomPoints(const RandomPoints&) = delete;
  RandomPoints& operator=(const RandomPoints&) = delete;

  std::span<const Point> points() const { return points_; }
  VectorView vector(std::size_t index) const { return points_[index].vector; }

 private:
  std::vector<float> values_;
  std::vector<Point> points_;
};

}  // namespace lamina::test
