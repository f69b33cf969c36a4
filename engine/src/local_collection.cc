#include "local_collection.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "allocation_guard.h"
#include "graph_file.h"
#include "lamina/limits.h"
#include "row_batch.h"
#include "types/validate.h"

namespace lamina {
namespace {

constexpr std::string_view kGraphName = "graph.lam";

// How often a write gives way to readers that came while it copied what others
// read.
constexpr int kCopyAttempts = 3;

// How long a write is held up, at most, for a snapshot that is late: the longer
// the more it writes, so that no size of writes outruns snapshots.
std::chrono::milliseconds longest_stall(std::size_t record_bytes) {
  constexpr std::size_t kBytesPerMillisecond = 4096;
  constexpr std::size_t kMost = 1000;
  return std::chrono::milliseconds(
      std::clamp<std::size_t>(record_bytes / kBytesPerMillisecond, 10, kMost));
}

}  // namespace

LocalCollection::LocalCollection(std::string name,
                                 const CollectionOptions& options)
    : name_(std::move(name)),
      options_(options),
      table_(options.dimension, options.metric) {}

Result<std::shared_ptr<LocalCollection>> LocalCollection::open(
    std::string name, const CollectionOptions& options,
    const std::filesystem::path& directory, FilesFound* found) {
  auto collection = std::make_shared<LocalCollection>(std::move(name), options);
  Result<std::unique_ptr<CollectionFiles>> files =
      CollectionFiles::open(directory, &collection->table_, found);
  if (!files.ok()) return files.status();
  collection->files_ = *std::move(files);
  collection->sequence_ = found->last_sequence;
  collection->table_.rows().end_change();
  (void)collection->renew_axes();
  return collection;
}

void LocalCollection::start_graph(const std::filesystem::path& home) {
  if (!options_.hnsw) return;
  table_.start_graph(*options_.hnsw);
  std::filesystem::path file;
  if (!home.empty()) {
    file = home / kGraphName;
    // What cannot be used is built anew. It goes, or it might fit by chance
    // once the log has grown past it.
    if (!load_graph(file, sequence_, table_.graph()).ok()) {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
  }
  builder_ = std::make_unique<GraphBuilder>(table_.graph(), &rows_mutex_, file);
}

void LocalCollection::drop() { end(State::dropped); }
void LocalCollection::close() { end(State::closed); }

void LocalCollection::end(State state) {
  const std::lock_guard writing(write_mutex_);
  state_.store(state);
  // Nothing more is to be lost; what cannot be written now is found on opening.
  if (files_ && state == State::closed) (void)files_->close(sequence_);
  files_.reset();
  if (builder_ && state == State::dropped) builder_->forget_file();
  builder_.reset();
  const auto rows_lock = rows_mutex_.write_lock();
  table_.clear();
}

Status LocalCollection::usable() const {
  switch (state_.load()) {
    case State::open:
      return {};
    case State::dropped:
      return missing_collection(name_);
    case State::broken:
      return Status::unavailable(
          "memory ran out in the middle of a write, which the log has whole; "
          "reopen the database");
    case State::closed:
      break;
  }
  return Status::unavailable("the database was closed");
}

Status LocalCollection::validate_points(std::span<const Point> points) const {
  Status size = validate_batch_size("points", points.size(), kMaxBatchPoints);
  if (!size.ok()) return size;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Status valid =
        validate_vector(points[i].vector, options_.dimension, options_.metric,
                        "points[" + std::to_string(i) + "].vector");
    if (!valid.ok()) return valid;
  }
  if (storage::upsert_record_bytes(points, options_.dimension) >
      kMaxWriteBytes) {
    return Status::invalid_argument("points take more than " +
                                    std::to_string(kMaxWriteBytes) +
                                    " bytes, write them in several calls");
  }
  return {};
}

Result<std::unique_lock<std::mutex>> LocalCollection::take_turn() {
  std::unique_lock turn(write_mutex_);
  const Status status = usable();
  if (!status.ok()) return status;
  return turn;
}

template <class Apply>
Result<UpdateResult> LocalCollection::write(std::unique_lock<std::mutex> turn,
                                            std::string record,
                                            std::span<const PointId> ids,
                                            const WriteOptions& options,
                                            const Apply& apply) {
  const std::shared_ptr<CollectionFiles> files = files_;
  const std::size_t record_bytes = record.size();
  UpdateResult result;
  result.sequence = sequence_ + 1;
  if (files) {
    Status status = files->append(std::move(record), result.sequence);
    if (!status.ok()) return status;
  }
  sequence_ = result.sequence;
  change_rows(ids, [&] { apply(result.sequence); });
  // Without memory for it, scans go on as before.
  (void)guard_allocation([&] { return renew_axes(); });
  if (builder_) builder_->wake();
  if (!files) return result;
  schedule_snapshot(std::move(turn), record_bytes);
  return wait_for_disk(*files, options, result);
}

template <class Apply>
void LocalCollection::change_rows(std::span<const PointId> ids,
                                  const Apply& apply) {
  rows::RowTable& rows = table_.rows();
  try {
    rows::RowTable::Copies copies = rows.copies_for(ids);
    auto lock = rows_mutex_.write_lock();
    for (int i = 0; i < kCopyAttempts && copies.empty() && rows.is_viewed();
         ++i) {
      // A reader came in between.
      lock.unlock();
      copies = rows.copies_for(ids);
      lock = rows_mutex_.write_lock();
    }
    rows.begin_change();
    rows.use(std::move(copies));
    apply();
    rows.end_change();
  } catch (...) {
    // What is in memory may be neither the state before nor the one after.
    state_.store(State::broken);
    throw;
  }
}

// Choosing and coding only read, so queries go on; writers wait.
Status LocalCollection::renew_axes() {
  rows::RowTable& rows = table_.rows();
  if (!rows.axes_are_due()) return {};
  std::unique_ptr<rows::AxisCodes> codes = rows.make_axis_codes();
  change_rows({}, [&] { rows.set_axis_codes(std::move(codes)); });
  return {};
}

Result<UpdateResult> LocalCollection::wait_for_disk(CollectionFiles& files,
                                                    const WriteOptions& options,
                                                    UpdateResult result) {
  const Durability durability =
      options.durability.value_or(options_.durability.value_or(Durability::os));
  if (durability == Durability::fsync) {
    Status durable = files.wait_durable(result.sequence);
    if (!durable.ok()) return durable;
  }
  result.durable = files.durable_sequence() >= result.sequence;
  if (!result.durable) schedule_sync();
  return result;
}

void LocalCollection::schedule_sync() {
  if (upkeep_ == nullptr || upkeep_->sync_interval().count() == 0 ||
      sync_scheduled_.exchange(true)) {
    return;
  }
  if (!hand_over(&LocalCollection::sync, upkeep_->sync_interval())) {
    sync_scheduled_ = false;
  }
}

void LocalCollection::sync() {
  sync_scheduled_ = false;
  (void)flush();  // A failure is told to the next write.
}

void LocalCollection::schedule_snapshot(std::unique_lock<std::mutex> turn,
                                        std::size_t record_bytes) {
  if (upkeep_ == nullptr) return;
  const std::uint64_t live_bytes = table_.live_bytes();
  const bool is_due = files_->snapshot_is_due(live_bytes);
  const bool is_late = files_->snapshot_is_late(live_bytes);
  turn.unlock();
  if (is_late && snapshot_scheduled_) {
    upkeep_->wait_until_idle(longest_stall(record_bytes));
  }
  if (!is_due || snapshot_scheduled_.exchange(true)) return;
  if (!hand_over(&LocalCollection::take_due_snapshot,
                 std::chrono::milliseconds(0))) {
    snapshot_scheduled_ = false;
  }
}

void LocalCollection::take_due_snapshot() {
  // Tried again when the log has grown.
  (void)guard_allocation([&] { return take_snapshot(); });
  snapshot_scheduled_ = false;
}

// The write that has work to hand over is done, whatever becomes of this.
bool LocalCollection::hand_over(void (LocalCollection::*work)(),
                                std::chrono::milliseconds delay) {
  try {
    Upkeep::Task task = [weak = weak_from_this(), work] {
      if (const auto self = weak.lock()) ((*self).*work)();
    };
    if (delay.count() == 0) {
      upkeep_->post(std::move(task));
    } else {
      upkeep_->post_after(delay, std::move(task));
    }
    return true;
  } catch (const std::exception&) {  // No memory, or no thread.
    return false;
  }
}

Status LocalCollection::take_snapshot() {
  storage::SnapshotHeader header;
  header.dimension = options_.dimension;
  // What is synced now need not be while writers wait.
  Status status = flush();
  if (!status.ok()) return status;
  auto turn = take_turn();
  if (!turn.ok()) return turn.status();
  const std::shared_ptr<CollectionFiles> files = files_;
  if (!files) return {};
  const std::vector<PayloadIndexInfo> indexes = table_.indexes();
  header.begin_sequence = sequence_;
  status = files->begin_snapshot(sequence_);
  turn->unlock();
  if (!status.ok()) return status;

  auto writer = files->snapshot_writer();
  if (!writer.ok()) return writer.status();
  for (const PayloadIndexInfo& index : indexes) {
    status = (*writer)->add(
        storage::encode_create_index_record(index.key, index.type));
    if (!status.ok()) return status;
  }
  status = write_points(**writer);
  if (!status.ok()) return status;

  turn = take_turn();
  if (!turn.ok()) return turn.status();
  header.end_sequence = sequence_;
  turn->unlock();
  status = files->publish(**writer, header);
  if (!status.ok()) return status;
  turn = take_turn();
  if (!turn.ok()) return turn.status();
  return files->end_snapshot();
}

// By ascending id, as rows move when others are removed.
Status LocalCollection::write_points(storage::SnapshotWriter& writer) const {
  std::optional<PointId> last;
  while (true) {
    RowBatch batch;
    {
      const auto lock = rows_mutex_.read_lock();
      Status status = usable();
      if (!status.ok()) return status;
      batch = RowBatch::after(last, table_.rows());
    }
    if (batch.empty()) return {};
    last = batch.last_id();
    Status written = writer.add(batch.encode());
    if (!written.ok()) return written;
  }
}

Result<UpdateResult> LocalCollection::upsert(std::span<const Point> points,
                                             const WriteOptions& options) {
  Status valid = usable();
  if (valid.ok()) valid = validate_points(points);
  if (!valid.ok()) return valid;
  std::string record =
      storage::encode_upsert_record(points, options_.dimension);
  auto turn = take_turn();
  if (!turn.ok()) return turn.status();
  std::vector<PointId> ids;
  ids.reserve(points.size());
  for (const Point& point : points) ids.push_back(point.id);
  return write(*std::move(turn), std::move(record), ids, options,
               [&](std::uint64_t sequence) { table_.put(points, sequence); });
}

// What a filter matches and what an edit makes of a payload is found while no
// other write can change it. Readers go on: nothing is changed before apply.

Result<LocalCollection::Selection> LocalCollection::take_turn_for(
    const Selector& points) {
  Status valid = usable();
  if (valid.ok()) valid = validate_selector(points);
  if (!valid.ok()) return valid;
  auto turn = take_turn();
  if (!turn.ok()) return turn.status();
  Result<std::vector<PointId>> ids = table_.select(points);
  if (!ids.ok()) return ids.status();
  return Selection{*std::move(turn), *std::move(ids)};
}

Result<UpdateResult> LocalCollection::remove(const Selector& points,
                                             const WriteOptions& options) {
  Result<Selection> selection = take_turn_for(points);
  if (!selection.ok()) return selection.status();
  auto& [turn, ids] = *selection;
  return write(std::move(turn), storage::encode_remove_record(ids), ids,
               options, [&](std::uint64_t) { table_.erase(selection->ids); });
}

Result<UpdateResult> LocalCollection::edit_payload(
    const Selector& points, const PayloadEdit& edit,
    const WriteOptions& options) {
  Result<Selection> selection = take_turn_for(points);
  if (!selection.ok()) return selection.status();
  auto& [turn, ids] = *selection;
  Result<std::vector<PointTable::NewPayload>> payloads =
      table_.edited(edit, ids);
  if (!payloads.ok()) return payloads.status();
  return write(std::move(turn), storage::encode_edit_payload_record(edit, ids),
               ids, options, [&](std::uint64_t sequence) {
                 table_.set_payloads(*std::move(payloads), sequence);
               });
}

Result<UpdateResult> LocalCollection::create_payload_index(
    std::string_view key, PayloadIndexType type, const WriteOptions& options) {
  Status valid = usable();
  if (!valid.ok()) return valid;
  auto turn = take_turn();
  if (!turn.ok()) return turn.status();
  valid = table_.check_index(key);
  if (!valid.ok()) return valid;
  auto index = table_.make_index(key, type);
  if (!index.ok()) return index.status();
  return write(*std::move(turn), storage::encode_create_index_record(key, type),
               {}, options,
               [&](std::uint64_t) { table_.set_index(*std::move(index)); });
}

Result<UpdateResult> LocalCollection::drop_payload_index(
    std::string_view key, const WriteOptions& options) {
  Status valid = usable();
  if (valid.ok()) valid = validate_path("key", key);
  if (!valid.ok()) return valid;
  auto turn = take_turn();
  if (!turn.ok()) return turn.status();
  return write(*std::move(turn), storage::encode_drop_index_record(key), {},
               options, [&](std::uint64_t) { table_.drop_index(key); });
}

Status LocalCollection::flush() {
  std::shared_ptr<CollectionFiles> files;
  std::uint64_t last = 0;
  {
    const std::lock_guard writing(write_mutex_);
    Status valid = usable();
    if (!valid.ok()) return valid;
    files = files_;
    last = sequence_;
  }
  return files ? files->wait_durable(last) : Status();
}

}  // namespace lamina
