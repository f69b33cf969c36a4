#pragma once

#include <filesystem>

namespace lamina::test {

// A new empty directory, removed with all that is in it on destruction.
//
// Thread safety: const calls may run concurrently.
class TemporaryDirectory {
 public:
  // Ends the test program when the directory cannot be made.
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lamina::test
