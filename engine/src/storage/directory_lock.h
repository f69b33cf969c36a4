#pragma once

#include <filesystem>
#include <memory>

#include "lamina/result.h"

namespace lamina::storage {

// One process, and one handle within it, may have a database open. Held by a
// lock on the file LOCK, which the kernel releases however the process ends.
class DirectoryLock {
 public:
  //   unavailable: somebody holds it; names the holder's pid.
  static Result<std::unique_ptr<DirectoryLock>> acquire(
      const std::filesystem::path& directory);

  // Keeps others from writing while this one only looks. A directory that was
  // never opened has no LOCK, and nobody to be kept out.
  //   unavailable: somebody holds it; names the holder's pid.
  static Result<std::unique_ptr<DirectoryLock>> acquire_to_read(
      const std::filesystem::path& directory);

  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  DirectoryLock() = default;

  int descriptor_ = -1;
};

}  // namespace lamina::storage
