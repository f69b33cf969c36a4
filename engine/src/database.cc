#include "lamina/database.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "allocation_guard.h"
#include "database_layout.h"
#include "guarded_collection.h"
#include "local_collection.h"
#include "storage/directory_lock.h"
#include "storage/file.h"
#include "storage/manifest.h"
#include "types/validate.h"
#include "upkeep.h"

namespace lamina {
namespace {

// Where a directory has its name.
std::filesystem::path parent_of(const std::filesystem::path& directory) {
  const std::filesystem::path whole =
      directory.has_filename() ? directory : directory.parent_path();
  return whole.has_parent_path() ? whole.parent_path() : ".";
}

std::shared_ptr<Collection> guarded(std::shared_ptr<Collection> collection) {
  return std::make_shared<GuardedCollection>(std::move(collection));
}

}  // namespace

struct Database::Impl {
  struct Entry {
    std::uint64_t number = 0;
    // Null when the collection is damaged; then `failure` says why.
    std::shared_ptr<LocalCollection> collection;
    Status failure;
  };

  ~Impl() {
    for (auto& [name, entry] : entries) {
      if (entry.collection) entry.collection->close();
    }
  }

  bool on_disk() const { return lock != nullptr; }
  Status scan_directory();
  // Adds a collection, damaged or not.
  //   io_error, resource_exhausted: its manifest could not be read.
  Status load(std::uint64_t number);
  Result<std::shared_ptr<LocalCollection>> open_files(
      const std::string& name, const CollectionOptions& collection_options,
      const std::filesystem::path& home, FilesFound* found);
  Result<std::shared_ptr<LocalCollection>> create_files(
      const std::string& name, const CollectionOptions& collection_options,
      std::uint64_t number);

  std::filesystem::path directory;
  DatabaseOptions options;
  std::unique_ptr<storage::DirectoryLock> lock;
  // Ends before the lock is given back.
  std::unique_ptr<Upkeep> upkeep;
  std::vector<CollectionRecovery> recovered;

  mutable std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
  std::uint64_t next_number = 1;
};

// Finds the collections, and removes what an interrupted create or drop left.
Status Database::Impl::scan_directory() {
  std::vector<std::uint64_t> live;
  std::vector<std::filesystem::path> leftovers;
  const Result<std::vector<std::string>> names =
      storage::list_directory(directory);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (const auto number = number_behind(kLivePrefix, name)) {
      live.push_back(*number);
    } else if (number_behind(kNewPrefix, name) ||
               number_behind(kDroppedPrefix, name)) {
      leftovers.push_back(directory / name);
    }
  }
  for (const std::filesystem::path& leftover : leftovers) {
    Status removed = storage::remove_directory(leftover);
    if (!removed.ok()) return removed;
  }
  std::sort(live.begin(), live.end());
  for (const std::uint64_t number : live) {
    Status loaded = load(number);
    if (!loaded.ok()) return loaded;
  }
  std::sort(recovered.begin(), recovered.end(),
            [](const CollectionRecovery& a, const CollectionRecovery& b) {
              return a.name < b.name;
            });
  return {};
}

Status Database::Impl::load(std::uint64_t number) {
  next_number = std::max(next_number, number + 1);
  const std::filesystem::path home = directory / folder(kLivePrefix, number);
  CollectionRecovery report;
  Entry entry;
  entry.number = number;
  Result<storage::Manifest> manifest =
      storage::read_manifest(home / kManifestName);
  if (manifest.status().code() == StatusCode::io_error ||
      manifest.status().code() == StatusCode::resource_exhausted) {
    // It may be whole: whoever took its name now would stand in its way.
    return manifest.status();
  }
  if (!manifest.ok()) {
    // Without its manifest a collection has no name but its folder's.
    report.name = home.filename().string();
    report.status = manifest.status();
    entry.failure = manifest.status();
  } else {
    report.name = manifest->name;
    FilesFound found;
    Result<std::shared_ptr<LocalCollection>> opened =
        open_files(manifest->name, manifest->options, home, &found);
    report.status = opened.status();
    report.replayed_writes = found.replayed_records;
    report.torn_bytes = found.torn_bytes;
    report.torn_writes = found.torn_records;
    entry.failure = opened.status();
    if (opened.ok()) entry.collection = *std::move(opened);
  }
  while (entries.contains(report.name)) report.name += "~";
  entries[report.name] = std::move(entry);
  recovered.push_back(std::move(report));
  return {};
}

Result<std::shared_ptr<LocalCollection>> Database::Impl::open_files(
    const std::string& name, const CollectionOptions& collection_options,
    const std::filesystem::path& home, FilesFound* found) {
  Result<std::shared_ptr<LocalCollection>> collection =
      LocalCollection::open(name, collection_options, home, found);
  if (!collection.ok()) return collection;
  (*collection)->use_upkeep(upkeep.get());
  (*collection)->start_graph(home);
  return collection;
}

// Builds the folder under another name first: a crash leaves either the whole
// collection or nothing.
Result<std::shared_ptr<LocalCollection>> Database::Impl::create_files(
    const std::string& name, const CollectionOptions& collection_options,
    std::uint64_t number) {
  std::filesystem::path fresh = directory / folder(kNewPrefix, number);
  const std::filesystem::path home = directory / folder(kLivePrefix, number);
  Status status = storage::make_directory(fresh);
  if (!status.ok()) return status;
  const auto give_up = [&](const Status& cause) {
    // Best effort: what stays is removed when the database is next opened.
    (void)storage::remove_directory(fresh);
    return cause;
  };
  status = storage::write_manifest(fresh / kManifestName,
                                   {name, collection_options});
  if (!status.ok()) return give_up(status);
  status = CollectionFiles::create(fresh);
  if (status.ok()) status = storage::sync_directory(fresh);
  if (status.ok()) status = storage::rename_path(fresh, home);
  if (!status.ok()) return give_up(status);
  // From here on it has a name that opening would believe.
  FilesFound nothing;
  status = storage::sync_directory(directory);
  Result<std::shared_ptr<LocalCollection>> collection =
      status.ok() ? open_files(name, collection_options, home, &nothing)
                  : status;
  if (collection.ok()) return collection;
  const std::filesystem::path doomed =
      directory / folder(kDroppedPrefix, number);
  if (storage::rename_path(home, doomed).ok()) fresh = doomed;
  return give_up(collection.status());
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(
    const std::filesystem::path& directory, const DatabaseOptions& options) {
  return guard_allocation([&]() -> Result<std::unique_ptr<Database>> {
    std::error_code error;
    if (!std::filesystem::exists(directory, error) && !error) {
      if (!options.create_if_missing) {
        return Status::not_found(directory.string() + " does not exist");
      }
      Status made = storage::make_directory(directory);
      if (made.ok()) made = storage::sync_directory(parent_of(directory));
      if (!made.ok()) return made;
    }
    auto impl = std::make_unique<Impl>();
    impl->directory = directory;
    impl->options = options;
    Result<std::unique_ptr<storage::DirectoryLock>> lock =
        storage::DirectoryLock::acquire(directory);
    if (!lock.ok()) return lock.status();
    impl->lock = *std::move(lock);
    impl->upkeep =
        std::make_unique<Upkeep>(options.upkeep_thread, options.sync_interval);
    Status scanned = impl->scan_directory();
    if (!scanned.ok()) return scanned;
    return std::unique_ptr<Database>(new Database(std::move(impl)));
  });
}

std::unique_ptr<Database> Database::in_memory() {
  return std::unique_ptr<Database>(new Database(std::make_unique<Impl>()));
}

Result<std::shared_ptr<Collection>> Database::create_collection(
    std::string_view name, const CollectionOptions& options) {
  return guard_allocation([&]() -> Result<std::shared_ptr<Collection>> {
    Status valid = validate_collection_name(name);
    if (valid.ok()) valid = validate_collection_options(options);
    if (!valid.ok()) return valid;
    const std::lock_guard lock(impl_->mutex);
    if (impl_->entries.contains(name)) {
      return Status::already_exists("Collection `" + std::string(name) +
                                    "` already exists!");
    }
    CollectionOptions complete = options;
    complete.durability =
        options.durability.value_or(impl_->options.durability);
    std::shared_ptr<LocalCollection> collection;
    // Not used again, whatever becomes of this: files may stay behind.
    const std::uint64_t number = impl_->next_number++;
    if (impl_->on_disk()) {
      Result<std::shared_ptr<LocalCollection>> created =
          impl_->create_files(std::string(name), complete, number);
      if (!created.ok()) return created.status();
      collection = *std::move(created);
    } else {
      collection =
          std::make_shared<LocalCollection>(std::string(name), complete);
      collection->start_graph({});
    }
    impl_->entries[std::string(name)] = {number, collection, {}};
    return guarded(std::move(collection));
  });
}

Result<std::shared_ptr<Collection>> Database::open_collection(
    std::string_view name) {
  return guard_allocation([&]() -> Result<std::shared_ptr<Collection>> {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->entries.find(name);
    if (found == impl_->entries.end()) return missing_collection(name);
    if (!found->second.collection) return found->second.failure;
    return guarded(found->second.collection);
  });
}

Result<std::vector<std::string>> Database::list_collections() const {
  return guard_allocation([&]() -> Result<std::vector<std::string>> {
    const std::lock_guard lock(impl_->mutex);
    std::vector<std::string> names;
    names.reserve(impl_->entries.size());
    for (const auto& [name, entry] : impl_->entries) names.push_back(name);
    return names;
  });
}

Result<bool> Database::drop_collection(std::string_view name) {
  return guard_allocation([&]() -> Result<bool> {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->entries.find(name);
    if (found == impl_->entries.end()) return false;
    if (impl_->on_disk()) {
      const std::uint64_t number = found->second.number;
      const std::filesystem::path doomed =
          impl_->directory / folder(kDroppedPrefix, number);
      Status status = storage::rename_path(
          impl_->directory / folder(kLivePrefix, number), doomed);
      if (!status.ok()) return status;
      // That was the moment of dropping, for this process: nothing may be
      // acknowledged in files that opening will remove.
      if (found->second.collection) found->second.collection->drop();
      impl_->entries.erase(found);
      status = storage::sync_directory(impl_->directory);
      if (status.ok()) status = storage::remove_directory(doomed);
      if (!status.ok()) return status;
      return true;
    }
    found->second.collection->drop();
    impl_->entries.erase(found);
    return true;
  });
}

const std::vector<CollectionRecovery>& Database::recovery() const {
  return impl_->recovered;
}

}  // namespace lamina
