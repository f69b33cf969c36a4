#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "storage/file.h"

namespace lamina::storage {
namespace {

Status error_at(const std::filesystem::path& path, const char* what,
                int error) {
  const std::string message =
      path.string() + ": " + what + ": " + std::strerror(error);
  if (error == ENOENT) return Status::not_found(message);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    return Status::resource_exhausted(message);
  }
  return Status::io_error(message);
}

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

class PosixFile : public File {
 public:
  explicit PosixFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~PosixFile() override { ::close(descriptor_); }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  Result<std::string> read_at(std::uint64_t offset,
                              std::size_t size) const override {
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = ::pread(descriptor_, bytes.data() + done, size - done,
                                  static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return error_at(path_, "read", errno);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }

  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(),
                                   static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return error_at(path_, "write", errno);
      offset += static_cast<std::uint64_t>(put);
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
  }

  Status sync() override {
    // Not repeated on EINTR or EIO: the kernel may have dropped the pages.
    if (::fdatasync(descriptor_) == 0) return {};
    return error_at(path_, "fdatasync", errno);
  }

  Status truncate(std::uint64_t size) override {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) == 0) return {};
    return error_at(path_, "truncate", errno);
  }

  Result<std::uint64_t> size() const override {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) {
      return error_at(path_, "stat", errno);
    }
    return static_cast<std::uint64_t>(info.st_size);
  }

  const std::filesystem::path& path() const override { return path_; }

  void take(int descriptor) { descriptor_ = descriptor; }

 private:
  int descriptor_ = -1;
  std::filesystem::path path_;
};

Result<std::unique_ptr<File>> open_with(const std::filesystem::path& path,
                                        int flags) {
  // First, or the descriptor would be lost when there is no memory for it.
  auto file = std::make_unique<PosixFile>(path);
  const int descriptor =
      ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return error_at(path, "open", errno);
  file->take(descriptor);
  return std::unique_ptr<File>(std::move(file));
}

}  // namespace

Result<std::unique_ptr<File>> open_file(const std::filesystem::path& path,
                                        bool create) {
  return open_with(path, O_RDWR | (create ? O_CREAT | O_EXCL : 0));
}

Result<std::unique_ptr<File>> open_file_to_read(
    const std::filesystem::path& path) {
  return open_with(path, O_RDONLY);
}

Result<std::string> read_small_file(const std::filesystem::path& path,
                                    std::size_t most) {
  Result<std::unique_ptr<File>> file = open_file(path, /*create=*/false);
  if (!file.ok()) return file.status();
  Result<std::string> bytes = (*file)->read_at(0, most + 1);
  if (bytes.ok() && bytes->size() > most) {
    return Status::data_loss(path.string() + ": larger than " +
                             std::to_string(most) + " bytes");
  }
  return bytes;
}

Status write_new_file(const std::filesystem::path& path,
                      std::string_view bytes) {
  Result<std::unique_ptr<File>> file = open_file(path, /*create=*/true);
  if (!file.ok()) return file.status();
  Status written = (*file)->write_at(0, bytes);
  if (!written.ok()) return written;
  return (*file)->sync();
}

Status sync_directory(const std::filesystem::path& path) {
  const int descriptor =
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return error_at(path, "open", errno);
  const int outcome = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  if (outcome != 0) return error_at(path, "fsync", error);
  return {};
}

Status make_directory(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  return error_at(path, "mkdir", errno);
}

Status rename_path(const std::filesystem::path& from,
                   const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return error_at(from, "rename", errno);
}

Status remove_file(const std::filesystem::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return error_at(path, "remove", errno);
}

// Not by std::filesystem::remove_all, which ends the program when it gets no
// memory.
Status remove_directory(const std::filesystem::path& path) {
  const Result<std::vector<std::string>> names = list_directory(path);
  if (!names.ok()) {
    const bool is_gone = names.status().code() == StatusCode::not_found;
    return is_gone ? Status() : names.status();
  }
  for (const std::string& name : *names) {
    const std::filesystem::path inside = path / name;
    if (::unlink(inside.c_str()) == 0 || errno == ENOENT) continue;
    if (errno != EISDIR) return error_at(inside, "remove", errno);
    Status removed = remove_directory(inside);
    if (!removed.ok()) return removed;
  }
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return {};
  return error_at(path, "remove", errno);
}

// Not by std::filesystem::directory_iterator, which ends the program when it
// gets no memory.
Result<std::vector<std::string>> list_directory(
    const std::filesystem::path& path) {
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(path.c_str()));
  if (!directory) return error_at(path, "list", errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(directory.get());
    if (entry == nullptr && errno != 0) return error_at(path, "list", errno);
    if (entry == nullptr) return names;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
}

}  // namespace lamina::storage
