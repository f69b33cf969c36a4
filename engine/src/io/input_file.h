#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "lamina/result.h"

namespace lamina::io {

// A regular file to read, addressed by offset. Its size is what every length
// found in it is held against.
//
// Thread safety: one thread at a time.
class InputFile {
 public:
  //   not_found, io_error: no such file, no regular file, or not readable.
  static Result<InputFile> open(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  // For messages.
  const std::string& name() const { return name_; }

  // Exactly `size` bytes.
  //   io_error: the file ends before, though its size said otherwise.
  Status read_at(std::uint64_t offset, void* out, std::size_t size);

  // invalid_argument: "name: what".
  Status invalid(std::string_view what) const;

 private:
  std::ifstream stream_;
  std::uint64_t position_ = 0;
  std::string name_;
  std::uint64_t size_ = 0;
};

}  // namespace lamina::io
