#include "state_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

namespace lamina::server {
namespace {

Status failed(const std::filesystem::path& path) {
  return Status::io_error(path.string() + ": " + std::strerror(errno));
}

Status write_all(int fd, std::string_view bytes,
                 const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failed(path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(fd) == 0 ? Status() : failed(path);
}

Status write_new(const std::filesystem::path& path, std::string_view bytes) {
  const int fd =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return failed(path);
  const Status written = write_all(fd, bytes, path);
  ::close(fd);
  return written;
}

Status sync_directory(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return failed(path);
  const Status synced = ::fsync(fd) == 0 ? Status() : failed(path);
  ::close(fd);
  return synced;
}

}  // namespace

Result<std::string> read_state_file(const std::filesystem::path& path,
                                    std::size_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::string();
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status::io_error(path.string() + ": " + error.message());
  if (size > max_bytes) {
    return Status::data_loss(path.string() + ": larger than it may be");
  }
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) {
    return Status::io_error(path.string() + ": cannot be read");
  }
  return bytes;
}

Status replace_state_file(const std::filesystem::path& path,
                          std::string_view bytes) {
  std::filesystem::path part = path;
  part += ".part";
  const Status written = write_new(part, bytes);
  if (!written.ok()) return written;
  if (::rename(part.c_str(), path.c_str()) != 0) return failed(path);
  return sync_directory(path.parent_path());
}

}  // namespace lamina::server
