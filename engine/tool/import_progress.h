#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/point_reader.h"
#include "lamina/result.h"

namespace lamina::tool {

// How far the import of some files into a collection is, kept in a small file
// beside the database's own, so that it survives whatever ends the import.
// What it says is in the collection is there: writing it comes after. What was
// written since is written again, to the same effect.
//
// Thread safety: one thread at a time.
class ImportProgress {
 public:
  //   io_error, not_found: a file cannot be looked at.
  static Result<ImportProgress> of(const std::filesystem::path& directory,
                                   std::string_view collection,
                                   const io::SourceFiles& files);

  // Points that are in, from the start of the files; 0 when no import of these
  // files as they are now was interrupted.
  std::uint64_t load() const;
  Status save(std::uint64_t points) const;
  // The import is done, or starts anew.
  Status clear() const;

 private:
  std::filesystem::path path_;
  std::string identity_;  // Of the files' content: names, sizes, times.
};

}  // namespace lamina::tool
