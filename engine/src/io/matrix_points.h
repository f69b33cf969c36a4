#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "io/columns.h"
#include "io/element.h"
#include "io/input_file.h"
#include "io/point_reader.h"

namespace lamina::io {

// Where the rows of a matrix lie in a file: at a constant distance.
struct MatrixLayout {
  std::uint64_t begin = 0;
  std::uint64_t rows = 0;
  std::size_t columns = 0;
  Element element = Element::float32;
  // Each row starts with its number of columns as 4 bytes, which must be right.
  bool has_row_heads = false;
};

// A file of vectors with its ids and payloads, when it has any.
struct MatrixFile {
  InputFile file;
  MatrixLayout layout;
  std::unique_ptr<IdColumn> ids{};
  std::unique_ptr<PayloadColumn> payloads{};
  std::optional<Metric> metric{};
};

// invalid_argument unless a vector may have so many values.
Status check_columns(const InputFile& file, std::uint64_t columns);

// Read the heads of one format each. What they return lies within the file.
Result<MatrixFile> open_npy(InputFile file);
Result<MatrixFile> open_vecs(InputFile file, Element element);
Result<MatrixFile> open_safetensors(InputFile file);
Result<MatrixFile> open_faiss(InputFile file);

// Ids are 0, 1, ... when the file has none.
std::unique_ptr<PointReader> make_matrix_points(MatrixFile file);

}  // namespace lamina::io
