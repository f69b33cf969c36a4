#include "atomic_file.h"

#include <system_error>
#include <utility>

namespace lamina::tool {
namespace {

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, std::filesystem::path part,
                       std::unique_ptr<storage::File> file)
    : path_(std::move(path)), part_(std::move(part)), file_(std::move(file)) {}

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(
    const std::filesystem::path& path, bool replace) {
  std::error_code error;
  if (!replace && std::filesystem::exists(path, error)) {
    return Status::already_exists(path.string() +
                                  " exists; --force replaces it");
  }
  std::filesystem::path part = path;
  part += ".part";
  // What a run that was killed left.
  std::filesystem::remove(part, error);
  Result<std::unique_ptr<storage::File>> file =
      storage::open_file(part, /*create=*/true);
  if (!file.ok()) return file.status();
  return std::unique_ptr<AtomicFile>(
      new AtomicFile(path, std::move(part), *std::move(file)));
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

Status AtomicFile::write_at(std::uint64_t offset, std::string_view bytes) {
  return file_->write_at(offset, bytes);
}

Status AtomicFile::commit() {
  Status done = file_->sync();
  if (done.ok()) done = storage::rename_path(part_, path_);
  if (!done.ok()) return done;
  file_.reset();
  return storage::sync_directory(directory_of(path_));
}

Status replace_file(const std::filesystem::path& path, std::string_view bytes) {
  Result<std::unique_ptr<AtomicFile>> file =
      AtomicFile::create(path, /*replace=*/true);
  if (!file.ok()) return file.status();
  const Status written = (*file)->write_at(0, bytes);
  return written.ok() ? (*file)->commit() : written;
}

}  // namespace lamina::tool
