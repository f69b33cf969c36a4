#include <algorithm>

#include "care.h"
#include "database_layout.h"
#include "storage/directory_lock.h"
#include "storage/manifest.h"

namespace lamina {
namespace {

CheckedCollection check_collection(const std::filesystem::path& home) {
  CheckedCollection checked;
  checked.folder = home.filename().string();
  const Result<storage::Manifest> manifest =
      storage::read_manifest(home / kManifestName);
  checked.status = manifest.status();
  if (!manifest.ok()) return checked;
  checked.name = manifest->name;
  PointTable table(manifest->options.dimension, manifest->options.metric);
  checked.status = CollectionFiles::check(home, &table, &checked.found);
  checked.point_count = table.rows().size();
  return checked;
}

}  // namespace

Result<std::vector<CheckedCollection>> check_database(
    const std::filesystem::path& directory) {
  const auto lock = storage::DirectoryLock::acquire_to_read(directory);
  if (!lock.ok()) return lock.status();
  const auto numbers = live_collections(directory);
  if (!numbers.ok()) return numbers.status();
  std::vector<CheckedCollection> checked;
  for (const std::uint64_t number : *numbers) {
    checked.push_back(
        check_collection(directory / folder(kLivePrefix, number)));
  }
  return checked;
}

}  // namespace lamina
