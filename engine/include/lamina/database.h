#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lamina/store.h"

namespace lamina {

struct DatabaseOptions {
  // For collections that do not say.
  Durability durability = Durability::os;
  // Lets the database start one thread, once there is work for it: snapshots,
  // and syncs by time. Without it, the write that finds the log too long takes
  // the snapshot before it returns, and nothing is synced by time.
  bool upkeep_thread = true;
  // A write that does not wait for the disk is on it after about this time. 0
  // leaves that to the operating system, which may take half a minute.
  std::chrono::milliseconds sync_interval{0};
  // Make the directory when it is not there.
  bool create_if_missing = true;
};

// What opening a directory found in one collection.
struct CollectionRecovery {
  std::string name;
  // Ok, or why the collection cannot be opened. Its files are left as found.
  Status status;
  // Writes read back from the log, beside what a snapshot had.
  std::uint64_t replayed_writes = 0;
  // What was behind the last whole record and was cut off: a write that a crash
  // of the process cut short, never acknowledged; or, after a power loss,
  // writes that were not on the disk and did not wait for it. Bytes, and whole
  // records among them.
  std::uint64_t torn_bytes = 0;
  std::uint64_t torn_writes = 0;
};

// The Store in this process: vectors in memory, every write in a log.
//
// Thread safety: as Store. Starts no thread, but one for each collection that
// has a graph, and one when DatabaseOptions::upkeep_thread allows it and a log
// has outgrown its points.
// Lifetime: the directory is locked until the Database is destroyed; handles
// that outlive it fail with unavailable.
class Database : public Store {
 public:
  // Opens a directory and reads every collection back. A damaged collection
  // does not keep the others from opening: recovery() tells, and opening it
  // returns the reason.
  //   not_found: no such directory and !create_if_missing.
  //   unavailable: another process holds the directory; names its pid.
  //   io_error: the directory cannot be read or written.
  static Result<std::unique_ptr<Database>> open(
      const std::filesystem::path& directory,
      const DatabaseOptions& options = {});

  // A database without files: nothing outlives the object.
  static std::unique_ptr<Database> in_memory();

  ~Database() override;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<std::shared_ptr<Collection>> create_collection(
      std::string_view name, const CollectionOptions& options) override;
  Result<std::shared_ptr<Collection>> open_collection(
      std::string_view name) override;
  Result<std::vector<std::string>> list_collections() const override;
  Result<bool> drop_collection(std::string_view name) override;

  // One entry per collection found by open(), in name order.
  const std::vector<CollectionRecovery>& recovery() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace lamina
