#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/npy_reader.h"
#include "lamina/options.h"
#include "lamina/result.h"

namespace lamina::bench {

// Vectors, queries, and the true answer of every query.
struct DataSet {
  std::string name;
  NpyMatrix<float> base;
  NpyMatrix<float> queries;
  NpyMatrix<std::int32_t> truth_ids;   // One row per query, best first
  NpyMatrix<double> truth_scores;      // Their cosines
  std::vector<std::string> checksums;  // Lines of SHA256SUMS

  VectorView vector(std::size_t row) const {
    return {base.row(row), base.columns};
  }
  VectorView query(std::size_t index) const {
    return {queries.row(index), queries.columns};
  }
};

// Reads `directory`, whose files start with its own name.
//   not_found, io_error, invalid_argument: as read_npy_float, or the files do
//   not belong together.
Result<DataSet> load_data_set(const std::filesystem::path& directory);

}  // namespace lamina::bench
