#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/data_set.h"

namespace lamina::bench {

// A data set that is made instead of stored: unit vectors, the same bits for
// the same seed on every machine.
struct GeneratedShape {
  std::string_view name;
  std::size_t rows = 0;
  std::size_t dimension = 0;
  // Centres that the vectors gather around, as those of real models do. Zero:
  // no structure at all, the hardest case for any index.
  std::size_t clusters = 0;
};

// The shapes that have a name.
std::span<const GeneratedShape> generated_shapes();
// Null when there is no such name.
const GeneratedShape* find_generated_shape(std::string_view name);

// A row is 0.7 * centre + noise, normalised; queries are further rows of the
// same distribution. Only integers are added before the length is taken, so no
// compiler can round differently. The truth is left empty: find_truth().
DataSet generate(const GeneratedShape& shape, std::size_t queries,
                 std::uint64_t seed);

}  // namespace lamina::bench
