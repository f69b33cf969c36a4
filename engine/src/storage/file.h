#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"

namespace lamina::storage {

// An open file, addressed by offset. The seam to the operating system: tests
// put a faulty one behind it.
//
// Thread safety: sync() may run beside anything; the rest excludes itself.
class File {
 public:
  virtual ~File() = default;

  // Reads exactly `size` bytes unless the file ends before; short reads and
  // interrupts are no end.
  virtual Result<std::string> read_at(std::uint64_t offset,
                                      std::size_t size) const = 0;

  // All of `bytes`, or an error; on an error an unknown part was written.
  virtual Status write_at(std::uint64_t offset, std::string_view bytes) = 0;

  // Returns when all that was written is on the disk (fdatasync). An error is
  // final: what is on the disk is not known any more.
  virtual Status sync() = 0;

  virtual Status truncate(std::uint64_t size) = 0;
  virtual Result<std::uint64_t> size() const = 0;

  // For messages.
  virtual const std::filesystem::path& path() const = 0;
};

// Opens for reading and writing; `create` makes a new file (0600) and refuses
// one that exists. Symbolic links are not followed.
Result<std::unique_ptr<File>> open_file(const std::filesystem::path& path,
                                        bool create);
// For reading only; writes fail.
Result<std::unique_ptr<File>> open_file_to_read(
    const std::filesystem::path& path);

// The whole of a small file.
//   data_loss: larger than `most` bytes.
Result<std::string> read_small_file(const std::filesystem::path& path,
                                    std::size_t most);

// A new file with these bytes, on the disk when it returns. Its name is not:
// see sync_directory().
Status write_new_file(const std::filesystem::path& path,
                      std::string_view bytes);

// Makes names that were created, renamed or removed in a directory durable.
Status sync_directory(const std::filesystem::path& path);

// 0700; fails when it exists.
Status make_directory(const std::filesystem::path& path);
Status rename_path(const std::filesystem::path& from,
                   const std::filesystem::path& to);
// Ok when there is none.
Status remove_file(const std::filesystem::path& path);
// With everything below.
Status remove_directory(const std::filesystem::path& path);

// The names in a directory, in no order.
Result<std::vector<std::string>> list_directory(
    const std::filesystem::path& path);

}  // namespace lamina::storage
