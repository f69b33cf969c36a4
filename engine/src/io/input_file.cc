#include "io/input_file.h"

#include <system_error>

namespace lamina::io {
namespace {

Result<std::uint64_t> regular_file_size(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status =
      std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return Status::not_found(path.string() + ": no such file");
  }
  // A pipe or a device could block, and has no size.
  if (!std::filesystem::is_regular_file(status)) {
    return Status::io_error(path.string() + ": not a regular file");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status::io_error(path.string() + ": " + error.message());
  return static_cast<std::uint64_t>(size);
}

}  // namespace

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
  const Result<std::uint64_t> size = regular_file_size(path);
  if (!size.ok()) return size.status();
  InputFile file;
  file.name_ = path.string();
  file.size_ = *size;
  file.stream_.open(path, std::ios::binary);
  if (!file.stream_) return Status::io_error(file.name_ + ": cannot be opened");
  return file;
}

Status InputFile::read_at(std::uint64_t offset, void* out, std::size_t size) {
  if (offset != position_) stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(static_cast<char*>(out), static_cast<std::streamsize>(size));
  position_ = offset + size;
  if (stream_) return {};
  return Status::io_error(name_ + ": cannot be read at byte " +
                          std::to_string(offset));
}

Status InputFile::invalid(std::string_view what) const {
  return Status::invalid_argument(name_ + ": " + std::string(what));
}

}  // namespace lamina::io
