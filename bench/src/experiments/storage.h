#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/storage_result.h"

namespace lamina::bench {

struct StorageOptions {
  std::filesystem::path data;            // Directory of the stored data set
  std::filesystem::path work_directory;  // Where databases are made
  std::uint64_t seed = 1;
  bool quick = false;  // Fewer calls: checks that it runs, no times
  bool full = false;   // A million rows as well
};

// Times what writing costs beside the disk's own cost, what writers that come
// together save, what readers notice of writers, and how soon a directory is
// open again. Tells how far it is on stderr.
//   io_error, resource_exhausted: of the work directory.
Result<StorageResult> run_storage(const StorageOptions& options,
                                  const std::vector<std::string>& arguments);

}  // namespace lamina::bench
