#include "io/npy_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace lamina {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are read as they lie in the file");

constexpr std::string_view kMagic("\x93NUMPY", 6);
// NumPy's own headers have 128 bytes; long ones come from structured types.
constexpr std::size_t kMaxHeaderBytes = 65'536;
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;

struct Header {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// Reads the Python dictionary that a header is:
//   {'descr': '<f2', 'fortran_order': False, 'shape': (10000, 384), }
// Each read_* returns false when something else stands there.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  bool read(Header* header) {
    if (!skip('{')) return false;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    while (!skip('}')) {
      std::string key;
      if (!read_string(&key) || !skip(':')) return false;
      if (key == "descr" && !has_descr) {
        has_descr = read_string(&header->descr);
        if (!has_descr) return false;
      } else if (key == "fortran_order" && !has_order) {
        has_order = read_bool(&header->fortran_order);
        if (!has_order) return false;
      } else if (key == "shape" && !has_shape) {
        has_shape = read_tuple(&header->shape);
        if (!has_shape) return false;
      } else {
        return false;
      }
      if (!skip(',') && peek() != '}') return false;
    }
    return has_descr && has_order && has_shape && peek() == '\0';
  }

 private:
  // The next character that is not white space; NUL at the end.
  char peek() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(std::min(next, text_.size()));
    return text_.empty() ? '\0' : text_.front();
  }

  bool skip(char expected) {
    if (peek() != expected) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool skip_word(std::string_view word) {
    peek();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  bool read_string(std::string* value) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return false;
    const std::size_t close = text_.find(quote, 1);
    if (close == std::string_view::npos) return false;
    *value = text_.substr(1, close - 1);
    text_.remove_prefix(close + 1);
    return true;
  }

  bool read_bool(bool* value) {
    *value = skip_word("True");
    return *value || skip_word("False");
  }

  bool read_tuple(std::vector<std::uint64_t>* values) {
    if (!skip('(')) return false;
    while (!skip(')')) {
      peek();
      std::uint64_t value = 0;
      const char* end = text_.data() + text_.size();
      const auto [rest, error] = std::from_chars(text_.data(), end, value);
      if (error != std::errc()) return false;
      text_.remove_prefix(static_cast<std::size_t>(rest - text_.data()));
      values->push_back(value);
      if (!skip(',') && peek() != ')') return false;
    }
    return true;
  }

  std::string_view text_;
};

// A file whose header was read; the next byte is the first value's.
struct OpenFile {
  std::ifstream stream;
  std::string name;
  std::string descr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::uint64_t value_bytes = 0;  // What follows the header.
};

Status invalid(const std::string& name, const std::string& what) {
  return Status::invalid_argument(name + ": " + what);
}

Result<std::uint64_t> regular_file_size(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status =
      std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return Status::not_found(path.string() + ": no such file");
  }
  if (!std::filesystem::is_regular_file(status)) {
    return Status::io_error(path.string() + ": not a regular file");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status::io_error(path.string() + ": " + error.message());
  return static_cast<std::uint64_t>(size);
}

// Reads exactly `size` bytes; false when the file ends before.
bool read_bytes(std::ifstream& stream, void* out, std::size_t size) {
  stream.read(static_cast<char*>(out), static_cast<std::streamsize>(size));
  return static_cast<std::size_t>(stream.gcount()) == size;
}

// Reads magic, version and header; returns the header's text and adds the bytes
// it took to `prefix_bytes`.
Result<std::string> read_header_text(OpenFile& file,
                                     std::uint64_t* prefix_bytes) {
  char start[8];  // Magic, major and minor version
  if (!read_bytes(file.stream, start, sizeof start) ||
      std::string_view(start, kMagic.size()) != kMagic) {
    return invalid(file.name, "not a .npy file");
  }
  const int major = static_cast<unsigned char>(start[6]);
  if (major < 1 || major > 3) {
    return invalid(file.name, "format version " + std::to_string(major) +
                                  ", expected 1 to 3");
  }
  std::uint32_t length = 0;
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (!read_bytes(file.stream, &length, length_bytes)) {
    return invalid(file.name, "ends within the header");
  }
  if (length > kMaxHeaderBytes) {
    return invalid(file.name,
                   "header of " + std::to_string(length) + " bytes, at most " +
                       std::to_string(kMaxHeaderBytes) + " are allowed");
  }
  std::string text(length, '\0');
  if (!read_bytes(file.stream, text.data(), length)) {
    return invalid(file.name, "ends within the header");
  }
  *prefix_bytes = sizeof start + length_bytes + length;
  return text;
}

Status take_header(std::string_view text, OpenFile* file) {
  Header header;
  if (!HeaderParser(text).read(&header)) {
    return invalid(file->name,
                   "header cannot be read: it must hold 'descr', "
                   "'fortran_order' and 'shape'");
  }
  if (header.fortran_order) {
    return invalid(file->name, "values in Fortran order, expected C order");
  }
  if (header.shape.empty() || header.shape.size() > 2) {
    return invalid(file->name, std::to_string(header.shape.size()) +
                                   " dimensions, expected one or two");
  }
  const std::uint64_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (header.shape[0] > kMaxElements ||
      (columns > 0 && header.shape[0] > kMaxElements / columns)) {
    return invalid(file->name, "shape is too large");
  }
  file->descr = header.descr;
  file->rows = header.shape[0];
  file->columns = columns;
  return {};
}

Result<OpenFile> open_npy(const std::filesystem::path& path) {
  const Result<std::uint64_t> size = regular_file_size(path);
  if (!size.ok()) return size.status();
  OpenFile file;
  file.name = path.string();
  file.stream.open(path, std::ios::binary);
  if (!file.stream) return Status::io_error(file.name + ": cannot be opened");

  std::uint64_t prefix_bytes = 0;
  const Result<std::string> text = read_header_text(file, &prefix_bytes);
  if (!text.ok()) return text.status();
  const Status taken = take_header(*text, &file);
  if (!taken.ok()) return taken;
  file.value_bytes = *size - std::min<std::uint64_t>(*size, prefix_bytes);
  return file;
}

Status wrong_type(const OpenFile& file, std::string_view expected) {
  return invalid(file.name, "elements of type '" + file.descr + "', expected " +
                                std::string(expected));
}

// The values as they lie in the file. Memory is taken only when the file is as
// long as its shape says.
template <class T>
Result<std::vector<T>> read_values(OpenFile& file) {
  const std::uint64_t count = std::uint64_t{file.rows} * file.columns;
  if (count * sizeof(T) != file.value_bytes) {
    return invalid(file.name, "shape (" + std::to_string(file.rows) + ", " +
                                  std::to_string(file.columns) + ") needs " +
                                  std::to_string(count * sizeof(T)) +
                                  " bytes of values, the file has " +
                                  std::to_string(file.value_bytes));
  }
  std::vector<T> values(count);
  if (!read_bytes(file.stream, values.data(), count * sizeof(T))) {
    return Status::io_error(file.name + ": cannot be read");
  }
  return values;
}

template <class T>
Result<NpyMatrix<T>> read_matrix(OpenFile& file) {
  Result<std::vector<T>> values = read_values<T>(file);
  if (!values.ok()) return values.status();
  return NpyMatrix<T>{file.rows, file.columns, *std::move(values)};
}

// IEEE 754 binary16 to binary32: every half is a float, so this is exact.
float widen_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = half >> 10 & 0x1F;
  const std::uint32_t mantissa = half & 0x3FF;
  if (exponent == 0) {  // Zero, or mantissa * 2^-24.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  // The bias is 127 instead of 15; infinity and NaN keep all exponent bits set.
  const std::uint32_t widened = exponent == 0x1F ? 0xFF : exponent + 127 - 15;
  return std::bit_cast<float>(sign | widened << 23 | mantissa << 13);
}

Result<NpyMatrix<float>> read_half_matrix(OpenFile& file) {
  const Result<std::vector<std::uint16_t>> halves =
      read_values<std::uint16_t>(file);
  if (!halves.ok()) return halves.status();
  NpyMatrix<float> matrix{file.rows, file.columns, {}};
  matrix.values.reserve(halves->size());
  for (const std::uint16_t half : *halves) {
    matrix.values.push_back(widen_half(half));
  }
  return matrix;
}

}  // namespace

Result<NpyMatrix<float>> read_npy_float(const std::filesystem::path& path) {
  Result<OpenFile> file = open_npy(path);
  if (!file.ok()) return file.status();
  if (file->descr == "<f2") return read_half_matrix(*file);
  if (file->descr == "<f4") return read_matrix<float>(*file);
  return wrong_type(*file, "'<f2' or '<f4'");
}

Result<NpyMatrix<double>> read_npy_double(const std::filesystem::path& path) {
  Result<OpenFile> file = open_npy(path);
  if (!file.ok()) return file.status();
  if (file->descr == "<f8") return read_matrix<double>(*file);
  return wrong_type(*file, "'<f8'");
}

Result<NpyMatrix<std::int32_t>> read_npy_int32(
    const std::filesystem::path& path) {
  Result<OpenFile> file = open_npy(path);
  if (!file.ok()) return file.status();
  if (file->descr == "<i4") return read_matrix<std::int32_t>(*file);
  return wrong_type(*file, "'<i4'");
}

}  // namespace lamina
