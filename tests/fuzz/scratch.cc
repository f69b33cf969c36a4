#include "fuzz/scratch.h"

#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "support/temporary_directory.h"

namespace lamina::fuzz {
namespace {

constexpr char kMemory[] = "/dev/shm";

test::TemporaryDirectory* make_directory() {
  std::error_code none;
  if (std::filesystem::is_directory(kMemory, none)) {
    ::setenv("TMPDIR", kMemory, /*overwrite=*/0);
  }
  static test::TemporaryDirectory directory;
  return &directory;
}

}  // namespace

const std::filesystem::path& scratch() {
  static const test::TemporaryDirectory* const kDirectory = make_directory();
  return kDirectory->path();
}

std::filesystem::path write_scratch(std::string_view name,
                                    std::string_view bytes) {
  std::filesystem::path path = scratch() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  return path;
}

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace lamina::fuzz
