#include "storage/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace lamina::storage {
namespace {

std::string holder_of(int descriptor) {
  char text[32];
  const ssize_t got = ::pread(descriptor, text, sizeof text, 0);
  if (got <= 0) return "another process";
  std::string pid(text, static_cast<std::size_t>(got));
  return "process " + pid.substr(0, pid.find('\n'));
}

void write_pid(int descriptor) {
  const std::string pid = std::to_string(::getpid()) + "\n";
  // Only a courtesy to whoever is refused: the lock holds without it.
  if (::ftruncate(descriptor, 0) != 0) return;
  if (::pwrite(descriptor, pid.data(), pid.size(), 0) < 0) return;
}

}  // namespace

Result<std::unique_ptr<DirectoryLock>> DirectoryLock::acquire(
    const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "LOCK";
  // First, or the lock would stay when there is no memory for it.
  std::unique_ptr<DirectoryLock> lock(new DirectoryLock);
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) {
    return Status::io_error(path.string() + ": open: " + std::strerror(errno));
  }
  lock->descriptor_ = descriptor;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const std::string holder = holder_of(descriptor);
    return Status::unavailable(directory.string() + " is in use by " + holder);
  }
  write_pid(descriptor);
  return lock;
}

Result<std::unique_ptr<DirectoryLock>> DirectoryLock::acquire_to_read(
    const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "LOCK";
  std::unique_ptr<DirectoryLock> lock(new DirectoryLock);
  lock->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (lock->descriptor_ < 0 && errno == ENOENT) return lock;
  if (lock->descriptor_ < 0) {
    return Status::io_error(path.string() + ": open: " + std::strerror(errno));
  }
  if (::flock(lock->descriptor_, LOCK_SH | LOCK_NB) != 0) {
    return Status::unavailable(directory.string() + " is in use by " +
                               holder_of(lock->descriptor_));
  }
  return lock;
}

DirectoryLock::~DirectoryLock() { ::close(descriptor_); }

}  // namespace lamina::storage
