#pragma once

#include <filesystem>
#include <memory>

#include "io/sink.h"
#include "lamina/result.h"
#include "storage/file.h"

namespace lamina::tool {

// A file that is there as a whole or not at all: written beside its place as
// NAME.part, and renamed once it is on the disk. Its mode is 0600, as that of
// the database's own files.
//
// Thread safety: one thread at a time.
// Lifetime: destruction without commit() removes what was written.
class AtomicFile : public io::Sink {
 public:
  //   already_exists: the file is there, and `replace` is not given.
  static Result<std::unique_ptr<AtomicFile>> create(
      const std::filesystem::path& path, bool replace);

  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  Status write_at(std::uint64_t offset, std::string_view bytes) override;

  // Returns when the file is in its place, and on the disk.
  Status commit();

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path part,
             std::unique_ptr<storage::File> file);

  std::filesystem::path path_;
  std::filesystem::path part_;
  std::unique_ptr<storage::File> file_;  // Null once it is in its place.
};

// Puts `bytes` in the place of a small file, with the same promise.
Status replace_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace lamina::tool
