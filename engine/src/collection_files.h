#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "point_table.h"
#include "storage/log.h"
#include "storage/snapshot.h"

namespace lamina {

// What opening a collection found in its files.
struct FilesFound {
  std::uint64_t last_sequence = 0;
  std::uint64_t replayed_records = 0;
  std::uint64_t torn_records = 0;
  std::uint64_t torn_bytes = 0;
};

// The files of a collection: a log, and a snapshot that stands in for the part
// of the log that was removed.
//
// Thread safety: what is about durability may run beside anything, as may
// publish(), of which there is one at a time; all else excludes each other.
class CollectionFiles {
 public:
  // Makes those of an empty collection; they are on the disk when it returns,
  // their names may not be.
  static Status create(const std::filesystem::path& directory);

  // Puts what the files say into `table`, which is empty. Changes nothing in
  // them before all has been read; then removes what a crash left over.
  //   data_loss: damage; names file and offset.
  //   invalid_argument: a version that this program does not know.
  static Result<std::unique_ptr<CollectionFiles>> open(
      const std::filesystem::path& directory, PointTable* table,
      FilesFound* found);

  // As open(), but for looking only: the files stay as they are.
  static Status check(const std::filesystem::path& directory, PointTable* table,
                      FilesFound* found);

  // As those of storage::Log.
  Status append(std::string record, std::uint64_t sequence) {
    return log_->append(std::move(record), sequence);
  }
  Status wait_durable(std::uint64_t sequence) {
    return log_->wait_durable(sequence);
  }
  std::uint64_t durable_sequence() const { return log_->durable_sequence(); }
  Status close(std::uint64_t last_sequence) {
    return log_->close(last_sequence);
  }

  // Whether the files have outgrown the points, which alone would take
  // `live_bytes`, so far that it is time for a snapshot; or so far that writes
  // should wait for the one that is being taken.
  bool snapshot_is_due(std::uint64_t live_bytes) const;
  bool snapshot_is_late(std::uint64_t live_bytes) const;

  // A snapshot is taken in four steps. The log that it will stand in for ends;
  // a writer for the points; they are on the disk, under their name; that log
  // goes. A crash between any two loses nothing.
  Status begin_snapshot(std::uint64_t last_sequence);
  Result<std::unique_ptr<storage::SnapshotWriter>> snapshot_writer();
  Status publish(storage::SnapshotWriter& writer,
                 const storage::SnapshotHeader& header);
  Status end_snapshot();

 private:
  explicit CollectionFiles(std::filesystem::path directory)
      : directory_(std::move(directory)) {}

  Result<storage::Log::Found> read(storage::Log::Access access,
                                   PointTable* table, FilesFound* found);
  Status load_snapshot(PointTable* table, storage::SnapshotHeader* header);
  Status remove_leftovers() const;
  std::uint64_t bytes() const { return snapshot_bytes_ + log_->bytes(); }

  std::filesystem::path directory_;
  std::unique_ptr<storage::Log> log_;
  // Of the snapshot that is there, if any: its begin_sequence, 0 when there is
  // none.
  std::uint64_t snapshot_sequence_ = 0;
  std::uint64_t snapshot_bytes_ = 0;
  // After a snapshot that failed, the size at which to try again.
  std::uint64_t retry_bytes_ = 0;
  // What publish() made, for end_snapshot().
  std::uint64_t published_sequence_ = 0;
  std::uint64_t published_bytes_ = 0;
};

}  // namespace lamina
