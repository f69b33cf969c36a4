#include <utility>

#include "io/matrix_points.h"
#include "io/npy_header.h"

namespace lamina::io {
namespace {

std::optional<Element> element_of(std::string_view descr) {
  if (descr == "<f2") return Element::float16;
  if (descr == "<f4") return Element::float32;
  if (descr == "<f8") return Element::float64;
  if (descr == "|i1") return Element::int8;
  if (descr == "|u1") return Element::uint8;
  return std::nullopt;
}

}  // namespace

Result<MatrixFile> open_npy(InputFile file) {
  const Result<NpyHeader> header = read_npy_header(file);
  if (!header.ok()) return header.status();
  const std::optional<Element> element = element_of(header->descr);
  if (!element.has_value()) {
    return wrong_npy_type(file, *header, "'<f2', '<f4', '<f8', '|i1' or '|u1'");
  }
  Status valid = check_columns(file, header->columns);
  if (valid.ok()) {
    valid = check_npy_size(file, *header, element_bytes(*element));
  }
  if (!valid.ok()) return valid;
  MatrixLayout layout;
  layout.begin = header->values_begin;
  layout.rows = header->rows;
  layout.columns = header->columns;
  layout.element = *element;
  return MatrixFile{.file = std::move(file), .layout = layout};
}

}  // namespace lamina::io
