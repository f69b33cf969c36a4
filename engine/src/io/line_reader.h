#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/input_file.h"
#include "lamina/limits.h"

namespace lamina::io {

// A line holds at most one point: its payload, and a vector of the largest
// dimension written with all digits.
inline constexpr std::size_t kMaxLineBytes =
    kMaxPayloadBytes + kMaxDimension * 32;

// The lines of a file, or of a part of it, one at a time: memory is taken for
// one line.
//
// Thread safety: one thread at a time.
class LineReader {
 public:
  explicit LineReader(InputFile file);
  // The lines in [begin, end), which lie within the file.
  LineReader(InputFile file, std::uint64_t begin, std::uint64_t end);

  // The next line without its "\n" or "\r\n", valid until the next call;
  // nothing behind the last one, which may do without an end.
  //   invalid_argument: longer than kMaxLineBytes.
  Result<std::optional<std::string_view>> next();

  // Starts again with the first line.
  void rewind();

  // "name: line 17", for messages; without a number, of the line that next()
  // returned last. The first is line 1.
  std::string where(std::uint64_t line_number) const;
  std::string where() const { return where(line_number_); }

  // How much of the part is behind us, 0 to 1.
  double share_done() const;

 private:
  Status read_more();

  InputFile file_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t next_offset_ = 0;  // Of what comes behind buffer_ in the file.
  std::string buffer_;
  std::size_t start_ = 0;  // In buffer_, of the next line.
  std::uint64_t line_number_ = 0;
};

}  // namespace lamina::io
