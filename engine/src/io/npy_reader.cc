#include "io/npy_reader.h"

#include "io/element.h"
#include "io/input_file.h"
#include "io/npy_header.h"

namespace lamina {
namespace {

struct OpenFile {
  io::InputFile file;
  io::NpyHeader header;
};

Result<OpenFile> open_npy(const std::filesystem::path& path) {
  Result<io::InputFile> file = io::InputFile::open(path);
  if (!file.ok()) return file.status();
  Result<io::NpyHeader> header = io::read_npy_header(*file);
  if (!header.ok()) return header.status();
  return OpenFile{*std::move(file), *std::move(header)};
}

// The values as they lie in the file. Memory is taken only when the file is as
// long as its shape says.
template <class T>
Result<std::vector<T>> read_values(OpenFile& npy) {
  const Status size = io::check_npy_size(npy.file, npy.header, sizeof(T));
  if (!size.ok()) return size;
  std::vector<T> values(npy.header.rows * npy.header.columns);
  const Status read = npy.file.read_at(npy.header.values_begin, values.data(),
                                       values.size() * sizeof(T));
  if (!read.ok()) return read;
  return values;
}

template <class T>
Result<NpyMatrix<T>> read_matrix(OpenFile& npy) {
  Result<std::vector<T>> values = read_values<T>(npy);
  if (!values.ok()) return values.status();
  return NpyMatrix<T>{npy.header.rows, npy.header.columns, *std::move(values)};
}

Result<NpyMatrix<float>> read_half_matrix(OpenFile& npy) {
  const Result<std::vector<std::uint16_t>> halves =
      read_values<std::uint16_t>(npy);
  if (!halves.ok()) return halves.status();
  NpyMatrix<float> matrix{npy.header.rows, npy.header.columns, {}};
  matrix.values.reserve(halves->size());
  for (const std::uint16_t half : *halves) {
    matrix.values.push_back(io::widen_half(half));
  }
  return matrix;
}

}  // namespace

Result<NpyMatrix<float>> read_npy_float(const std::filesystem::path& path) {
  Result<OpenFile> npy = open_npy(path);
  if (!npy.ok()) return npy.status();
  if (npy->header.descr == "<f2") return read_half_matrix(*npy);
  if (npy->header.descr == "<f4") return read_matrix<float>(*npy);
  return io::wrong_npy_type(npy->file, npy->header, "'<f2' or '<f4'");
}

Result<NpyMatrix<double>> read_npy_double(const std::filesystem::path& path) {
  Result<OpenFile> npy = open_npy(path);
  if (!npy.ok()) return npy.status();
  if (npy->header.descr == "<f8") return read_matrix<double>(*npy);
  return io::wrong_npy_type(npy->file, npy->header, "'<f8'");
}

Result<NpyMatrix<std::int32_t>> read_npy_int32(
    const std::filesystem::path& path) {
  Result<OpenFile> npy = open_npy(path);
  if (!npy.ok()) return npy.status();
  if (npy->header.descr == "<i4") return read_matrix<std::int32_t>(*npy);
  return io::wrong_npy_type(npy->file, npy->header, "'<i4'");
}

}  // namespace lamina
