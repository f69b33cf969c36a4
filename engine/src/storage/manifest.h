#pragma once

#include <filesystem>
#include <string>

#include "lamina/options.h"
#include "lamina/result.h"

namespace lamina::storage {

// What a collection is, kept beside its log: docs/file-format.md.
struct Manifest {
  std::string name;
  CollectionOptions options;
};

Status write_manifest(const std::filesystem::path& path,
                      const Manifest& manifest);

//   data_loss: damaged; names the file.
//   invalid_argument: of a version that this program does not know.
Result<Manifest> read_manifest(const std::filesystem::path& path);

}  // namespace lamina::storage
