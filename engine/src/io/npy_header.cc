#include "io/npy_header.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

namespace lamina::io {
namespace {

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

// Reads magic, version and header; `end` is set to the offset behind them.
Result<std::string> read_header_text(InputFile& file, std::uint64_t* end) {
  unsigned char start[12] = {};  // Magic, major, minor, length of 2 or 4 bytes.
  const std::size_t start_bytes =
      std::min<std::uint64_t>(sizeof start, file.size());
  const Status read = file.read_at(0, start, start_bytes);
  if (!read.ok()) return read;
  const std::string_view begin(reinterpret_cast<char*>(start), start_bytes);
  if (begin.size() < 8 || !begin.starts_with(kMagic)) {
    return file.invalid("not a .npy file");
  }
  const int major = start[6];
  if (major < 1 || major > 3) {
    return file.invalid("format version " + std::to_string(major) +
                        ", expected 1 to 3");
  }
  const std::size_t text_begin = major == 1 ? 10 : 12;
  if (begin.size() < text_begin) return file.invalid("ends within the header");
  std::uint32_t length = 0;
  for (std::size_t i = text_begin; i-- > 8;) length = length << 8 | start[i];
  if (length > kMaxHeaderBytes) {
    return file.invalid("header of " + std::to_string(length) +
                        " bytes, at most " + std::to_string(kMaxHeaderBytes) +
                        " are allowed");
  }
  *end = text_begin + length;
  if (*end > file.size()) return file.invalid("ends within the header");
  std::string text(length, '\0');
  const Status rest = file.read_at(text_begin, text.data(), length);
  if (!rest.ok()) return rest;
  return text;
}

}  // namespace

Result<NpyHeader> read_npy_header(InputFile& file) {
  NpyHeader result;
  const Result<std::string> text = read_header_text(file, &result.values_begin);
  if (!text.ok()) return text.status();
  Header header;
  if (!HeaderParser(*text).read(&header)) {
    return file.invalid(
        "header cannot be read: it must hold 'descr', 'fortran_order' and "
        "'shape'");
  }
  if (header.fortran_order) {
    return file.invalid("values in Fortran order, expected C order");
  }
  if (header.shape.empty() || header.shape.size() > 2) {
    return file.invalid(std::to_string(header.shape.size()) +
                        " dimensions, expected one or two");
  }
  const std::uint64_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (header.shape[0] > kMaxElements ||
      (columns > 0 && header.shape[0] > kMaxElements / columns)) {
    return file.invalid("shape is too large");
  }
  result.descr = header.descr;
  result.rows = header.shape[0];
  result.columns = columns;
  result.value_bytes = file.size() - result.values_begin;
  return result;
}

Status wrong_npy_type(const InputFile& file, const NpyHeader& header,
                      std::string_view expected) {
  return file.invalid("elements of type '" + header.descr + "', expected " +
                      std::string(expected));
}

Status check_npy_size(const InputFile& file, const NpyHeader& header,
                      std::size_t bytes_per_element) {
  const std::uint64_t needed = header.rows * header.columns * bytes_per_element;
  if (needed == header.value_bytes) return {};
  return file.invalid(
      "shape (" + std::to_string(header.rows) + ", " +
      std::to_string(header.columns) + ") needs " + std::to_string(needed) +
      " bytes of values, the file has " + std::to_string(header.value_bytes));
}

std::string npy_header_text(std::string_view descr, std::string_view shape) {
  constexpr std::size_t kPrefixBytes = 10;
  constexpr std::size_t kAlignment = 64;
  std::string header =
      "{'descr': '" + std::string(descr) +
      "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
  while ((kPrefixBytes + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string text(kMagic);
  text += {'\x01', '\0', static_cast<char>(header.size() & 0xFF),
           static_cast<char>(header.size() >> 8)};
  return text + header;
}

}  // namespace lamina::io
