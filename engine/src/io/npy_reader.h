#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "lamina/result.h"

namespace lamina {

// A matrix read from a .npy file, row after row.
template <class T>
struct NpyMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<T> values;  // rows * columns

  const T* row(std::size_t index) const {
    return values.data() + index * columns;
  }
};

// Read a NumPy file (format 1.0 to 3.0, C order, little-endian, one or two
// dimensions; one dimension is read as one column). The header is bounded, and
// the shape is held against the file's size before memory is taken.
//   not_found, io_error: the file cannot be opened or read.
//   invalid_argument: not such a file, another element type, or a size that
//   does not fit the shape; says which and what was expected.
Result<NpyMatrix<float>> read_npy_float(
    const std::filesystem::path& path);  // '<f2' widened, or '<f4'
Result<NpyMatrix<double>> read_npy_double(
    const std::filesystem::path& path);  // '<f8'
Result<NpyMatrix<std::int32_t>> read_npy_int32(
    const std::filesystem::path& path);  // '<i4'

}  // namespace lamina
