#include <utility>

#include "io/matrix_points.h"

namespace lamina::io {

Result<MatrixFile> open_vecs(InputFile file, Element element) {
  MatrixLayout layout;
  layout.element = element;
  layout.has_row_heads = true;
  if (file.size() == 0) return MatrixFile{std::move(file), layout};
  std::int32_t columns = 0;
  if (file.size() < sizeof columns) {
    return file.invalid("ends within the head of row 0");
  }
  const Status read = file.read_at(0, &columns, sizeof columns);
  if (!read.ok()) return read;
  if (columns < 0) {
    return file.invalid("row 0 says " + std::to_string(columns) + " values");
  }
  const Status valid = check_columns(file, static_cast<std::uint64_t>(columns));
  if (!valid.ok()) return valid;
  layout.columns = static_cast<std::size_t>(columns);
  const std::uint64_t row_bytes =
      sizeof columns + layout.columns * element_bytes(element);
  layout.rows = file.size() / row_bytes;
  if (file.size() % row_bytes != 0) {
    return file.invalid(
        std::to_string(file.size()) + " bytes are no whole number of rows of " +
        std::to_string(row_bytes) + " bytes; row " +
        std::to_string(layout.rows) + " at byte " +
        std::to_string(layout.rows * row_bytes) + " is cut short");
  }
  return MatrixFile{.file = std::move(file), .layout = layout};
}

}  // namespace lamina::io
