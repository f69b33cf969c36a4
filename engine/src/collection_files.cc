#include "collection_files.h"

#include <utility>
#include <vector>

namespace lamina {
namespace {

using storage::kSnapshotName;

// A snapshot that is being written: what has its own name is whole.
constexpr std::string_view kFreshSnapshot = "snapshot.new";

// Files may take this many times what the points take before a snapshot is
// taken: while it is written, old and new stand side by side, and together they
// should stay below three times.
constexpr double kMostGrowth = 1.8;

// Beyond this, writes are held up, lest they outrun the snapshot.
constexpr double kLateGrowth = 2.0;

// And this much more, lest a small collection is written again and again.
constexpr std::uint64_t kAllowedBytes = 4u << 20;

// After a snapshot failed, the next is tried when the files have grown by this.
constexpr std::uint64_t kRetryBytes = 16u << 20;

std::uint64_t grown(std::uint64_t live_bytes, double times) {
  return static_cast<std::uint64_t>(times * static_cast<double>(live_bytes)) +
         kAllowedBytes;
}

}  // namespace

Status CollectionFiles::create(const std::filesystem::path& directory) {
  return storage::Log::create(directory);
}

Result<std::unique_ptr<CollectionFiles>> CollectionFiles::open(
    const std::filesystem::path& directory, PointTable* table,
    FilesFound* found) {
  std::unique_ptr<CollectionFiles> files(new CollectionFiles(directory));
  Result<storage::Log::Found> read =
      files->read(storage::Log::Access::write, table, found);
  if (!read.ok()) return read.status();
  Result<std::unique_ptr<storage::Log>> log =
      storage::Log::resume(directory, *std::move(read));
  if (!log.ok()) return log.status();
  files->log_ = *std::move(log);
  Status status = files->remove_leftovers();
  if (!status.ok()) return status;
  return files;
}

Status CollectionFiles::check(const std::filesystem::path& directory,
                              PointTable* table, FilesFound* found) {
  CollectionFiles files(directory);
  return files.read(storage::Log::Access::read, table, found).status();
}

Result<storage::Log::Found> CollectionFiles::read(storage::Log::Access access,
                                                  PointTable* table,
                                                  FilesFound* found) {
  storage::SnapshotHeader snapshot;
  Status status = load_snapshot(table, &snapshot);
  if (!status.ok()) return status;
  Result<storage::Log::Found> log = storage::Log::read(
      directory_,
      {.begin = snapshot.begin_sequence,
       .end = snapshot.end_sequence,
       .dimension = table->rows().dimension(),
       .metric = table->rows().metric()},
      access, [&](std::uint64_t sequence, const storage::RecordBody& body) {
        return table->apply(sequence, body, snapshot.end_sequence);
      });
  if (!log.ok()) return log;
  *found = {log->last.last_sequence, log->record_count, log->last.torn_records,
            log->last.torn_bytes};
  return log;
}

Status CollectionFiles::load_snapshot(PointTable* table,
                                      storage::SnapshotHeader* header) {
  const auto numbers = kSnapshotName.all_in(directory_);
  if (!numbers.ok()) return numbers.status();
  if (numbers->empty()) return {};
  const auto file = storage::open_file_to_read(
      directory_ / kSnapshotName.of(numbers->back()));
  if (!file.ok()) return file.status();
  const Result<storage::SnapshotHeader> read = storage::read_snapshot(
      **file, table->rows().dimension(), table->rows().metric(),
      [&](std::uint64_t, const storage::RecordBody& body) {
        return table->load(body);
      });
  if (!read.ok()) return read.status();
  const Result<std::uint64_t> bytes = (*file)->size();
  if (!bytes.ok()) return bytes.status();
  *header = *read;
  snapshot_sequence_ = read->begin_sequence;
  snapshot_bytes_ = *bytes;
  return {};
}

// Older snapshots and the log that the newest stands in for.
Status CollectionFiles::remove_leftovers() const {
  const auto numbers = kSnapshotName.all_in(directory_);
  if (!numbers.ok()) return numbers.status();
  for (const std::uint64_t number : *numbers) {
    if (number == snapshot_sequence_) continue;
    Status removed =
        storage::remove_file(directory_ / kSnapshotName.of(number));
    if (!removed.ok()) return removed;
  }
  Status removed = storage::remove_file(directory_ / kFreshSnapshot);
  if (removed.ok()) removed = log_->forget_before(snapshot_sequence_);
  return removed;
}

bool CollectionFiles::snapshot_is_due(std::uint64_t live_bytes) const {
  return bytes() > grown(live_bytes, kMostGrowth) && bytes() > retry_bytes_;
}

bool CollectionFiles::snapshot_is_late(std::uint64_t live_bytes) const {
  return bytes() > grown(live_bytes, kLateGrowth);
}

Status CollectionFiles::begin_snapshot(std::uint64_t last_sequence) {
  // Until it has succeeded it counts as failed.
  retry_bytes_ = bytes() + kRetryBytes;
  published_sequence_ = 0;
  return log_->rotate(last_sequence);
}

Result<std::unique_ptr<storage::SnapshotWriter>>
CollectionFiles::snapshot_writer() {
  return storage::SnapshotWriter::create(directory_ / kFreshSnapshot);
}

Status CollectionFiles::publish(storage::SnapshotWriter& writer,
                                const storage::SnapshotHeader& header) {
  // What the snapshot has must not be lost from the log: a snapshot that knows
  // more than the log would have writes without those before them.
  Status status = log_->wait_durable(header.end_sequence);
  if (status.ok()) status = writer.finish(header);
  if (status.ok()) {
    status = storage::rename_path(
        directory_ / kFreshSnapshot,
        directory_ / kSnapshotName.of(header.begin_sequence));
  }
  if (status.ok()) status = storage::sync_directory(directory_);
  if (!status.ok()) return status;
  published_sequence_ = header.begin_sequence;
  published_bytes_ = writer.bytes();
  return {};
}

Status CollectionFiles::end_snapshot() {
  snapshot_sequence_ = published_sequence_;
  snapshot_bytes_ = published_bytes_;
  retry_bytes_ = 0;
  return remove_leftovers();
}

}  // namespace lamina
