#pragma once

#include <cstdint>
#include <string>

#include "io/input_file.h"

namespace lamina::io {

// What the header of a .npy file says, held against the file's size.
struct NpyHeader {
  std::string descr;  // "<f4"
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;       // 1 when the array has one dimension.
  std::uint64_t values_begin = 0;  // Offset of the first value.
  std::uint64_t value_bytes = 0;   // What follows the header.
};

// Reads format 1.0 to 3.0: C order, one or two dimensions.
//   invalid_argument: not such a file, or a header that takes too much.
Result<NpyHeader> read_npy_header(InputFile& file);

// "elements of type '>f4', expected ...".
Status wrong_npy_type(const InputFile& file, const NpyHeader& header,
                      std::string_view expected);

// invalid_argument unless the values take what the shape needs, no more, no
// less.
Status check_npy_size(const InputFile& file, const NpyHeader& header,
                      std::size_t bytes_per_element);

// A header of format 1.0 for values that follow it, at a multiple of 64 bytes.
// `shape` as Python writes it: "(10000, 384)".
std::string npy_header_text(std::string_view descr, std::string_view shape);

}  // namespace lamina::io
