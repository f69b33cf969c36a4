#include <limits>
#include <system_error>
#include <utility>

#include "care.h"
#include "database_layout.h"
#include "lamina/database.h"
#include "row_batch.h"
#include "storage/directory_lock.h"
#include "storage/log_format.h"
#include "storage/manifest.h"
#include "storage/numbered_name.h"
#include "storage/whole_record.h"

namespace lamina {
namespace {

constexpr std::size_t kMostLosses = 20;

// Reads what is left of one collection into a table.
class Salvage {
 public:
  Salvage(const CollectionOptions& options, SalvagedCollection* report)
      : table_(options.dimension, options.metric), report_(*report) {}

  Status read(const std::filesystem::path& home) {
    const auto snapshots = storage::kSnapshotName.all_in(home);
    if (!snapshots.ok()) return snapshots.status();
    if (!snapshots->empty()) {
      Status done = walk(home / storage::kSnapshotName.of(snapshots->back()),
                         storage::kSnapshotHeaderBytes);
      if (!done.ok()) return done;
    }
    const auto segments = storage::kSegmentName.all_in(home);
    if (!segments.ok()) return segments.status();
    for (const std::uint64_t first : *segments) {
      Status done = walk(home / storage::kSegmentName.of(first),
                         storage::kLogHeaderBytes);
      if (!done.ok()) return done;
    }
    return {};
  }

  const PointTable& table() const { return table_; }

 private:
  Status walk(const std::filesystem::path& path, std::uint64_t begin) {
    const auto file = storage::open_file_to_read(path);
    if (!file.ok()) return file.status();
    return storage::walk_records(**file, begin,
                                 [&](const storage::Stretch& stretch) {
                                   take(path, stretch);
                                   return Status();
                                 });
  }

  void take(const std::filesystem::path& path,
            const storage::Stretch& stretch) {
    if (!stretch.record.found) {
      report_.damaged_bytes += stretch.bytes;
      lose(path, stretch.offset, std::to_string(stretch.bytes) + " bytes");
      return;
    }
    const Status applied = apply(stretch.record);
    if (applied.ok()) {
      ++report_.records_read;
    } else {
      ++report_.records_refused;
      lose(path, stretch.offset, applied.message());
    }
  }

  Status apply(const storage::WholeRecord& record) {
    const Result<storage::RecordBody> body = storage::decode_record_body(
        record.header.type, record.body, table_.rows().dimension(),
        table_.rows().metric());
    if (!body.ok()) return body.status();
    if (record.header.type == storage::RecordType::rows) {
      return table_.load(*body);
    }
    // As behind a snapshot that may know of later writes, and of which points
    // may be missing.
    return table_.apply(record.header.sequence, *body,
                        std::numeric_limits<std::uint64_t>::max());
  }

  void lose(const std::filesystem::path& path, std::uint64_t offset,
            const std::string& what) {
    if (report_.losses.size() == kMostLosses) return;
    report_.losses.push_back(path.string() + ": offset " +
                             std::to_string(offset) + ": " + what);
  }

  PointTable table_;
  SalvagedCollection& report_;
};

Status write_points(const PointTable& table, Collection& items) {
  for (const PayloadIndexInfo& index : table.indexes()) {
    const auto made = items.create_payload_index(index.key, index.type);
    if (!made.ok()) return made.status();
  }
  std::optional<PointId> last;
  while (true) {
    const RowBatch batch = RowBatch::after(last, table.rows());
    if (batch.empty()) return items.flush();
    last = batch.last_id();
    const auto written = items.upsert(batch.points());
    if (!written.ok()) return written.status();
  }
}

Status salvage_collection(const std::filesystem::path& home, Database& target,
                          SalvagedCollection* report) {
  const Result<storage::Manifest> manifest =
      storage::read_manifest(home / kManifestName);
  if (!manifest.ok()) return manifest.status();
  report->name = manifest->name;
  Salvage salvage(manifest->options, report);
  Status done = salvage.read(home);
  if (!done.ok()) return done;
  report->point_count = salvage.table().rows().size();
  const auto items =
      target.create_collection(manifest->name, manifest->options);
  return items.ok() ? write_points(salvage.table(), **items) : items.status();
}

}  // namespace

Result<std::vector<SalvagedCollection>> salvage_database(
    const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto lock = storage::DirectoryLock::acquire_to_read(from);
  if (!lock.ok()) return lock.status();
  const auto numbers = live_collections(from);
  if (!numbers.ok()) return numbers.status();
  std::error_code error;
  if (std::filesystem::exists(to, error) || error) {
    return Status::already_exists(to.string() + " is there already");
  }
  const auto target = Database::open(to);
  if (!target.ok()) return target.status();
  std::vector<SalvagedCollection> reports;
  for (const std::uint64_t number : *numbers) {
    const std::filesystem::path home = from / folder(kLivePrefix, number);
    SalvagedCollection& report = reports.emplace_back();
    report.folder = home.filename().string();
    report.status = salvage_collection(home, **target, &report);
  }
  return reports;
}

}  // namespace lamina
