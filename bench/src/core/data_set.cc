#include "core/data_set.h"

#include <fstream>
#include <utility>

namespace lamina::bench {
namespace {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

Status check_shapes(const DataSet& data) {
  if (data.base.rows == 0 || data.queries.rows == 0 ||
      data.base.columns != data.queries.columns ||
      data.truth_ids.rows != data.queries.rows ||
      data.truth_scores.rows != data.queries.rows ||
      data.truth_scores.columns != data.truth_ids.columns) {
    return Status::invalid_argument(data.name +
                                    ": the files do not belong together");
  }
  return {};
}

}  // namespace

Result<DataSet> load_data_set(const std::filesystem::path& directory) {
  DataSet data;
  data.name = directory.filename().string();
  const std::string stem = (directory / data.name).string();

  Result<NpyMatrix<float>> base = read_npy_float(stem + "-base.f16.npy");
  if (!base.ok()) return base.status();
  Result<NpyMatrix<float>> queries = read_npy_float(stem + "-queries.f16.npy");
  if (!queries.ok()) return queries.status();
  Result<NpyMatrix<std::int32_t>> ids =
      read_npy_int32(stem + "-truth-ids.i32.npy");
  if (!ids.ok()) return ids.status();
  Result<NpyMatrix<double>> scores =
      read_npy_double(stem + "-truth-scores.f64.npy");
  if (!scores.ok()) return scores.status();

  data.base = *std::move(base);
  data.queries = *std::move(queries);
  data.truth_ids = *std::move(ids);
  data.truth_scores = *std::move(scores);
  data.checksums = read_lines(directory / "SHA256SUMS");
  if (Status shapes = check_shapes(data); !shapes.ok()) return shapes;
  return data;
}

}  // namespace lamina::bench
