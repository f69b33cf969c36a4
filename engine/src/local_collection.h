#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collection_files.h"
#include "graph_builder.h"
#include "lamina/store.h"
#include "point_query.h"
#include "point_table.h"
#include "rows/fair_shared_mutex.h"
#include "upkeep.h"

namespace lamina {

// A Collection in this process. A write is checked, logged, applied to the
// rows, and only then waits for the disk: readers and other writers go on
// meanwhile, and writers that wait together share one fdatasync.
class LocalCollection : public Collection,
                        public std::enable_shared_from_this<LocalCollection> {
 public:
  // Without files.
  LocalCollection(std::string name, const CollectionOptions& options);

  // Reads the files in `directory` back, and cuts a torn tail off before the
  // first new write could land behind it.
  static Result<std::shared_ptr<LocalCollection>> open(
      std::string name, const CollectionOptions& options,
      const std::filesystem::path& directory, FilesFound* found);

  // Whom work that is not a write's own is given to, once, before use. It must
  // outlive the collection's close() or drop(). Without it that work is not
  // done.
  void use_upkeep(Upkeep* upkeep) { upkeep_ = upkeep; }

  // Builds and keeps the graph that the options ask for, if any, and reads back
  // what `home` has of it. Once, before use; no path, no file.
  void start_graph(const std::filesystem::path& home);

  // Writes all points to a new snapshot, and removes the log that it stands in
  // for. Readers go on, and so do writers, but for some milliseconds. One call
  // at a time.
  //   io_error, resource_exhausted: the files are as they were.
  Status take_snapshot();

  // Ends all use: later calls fail with not_found, and memory is given back.
  void drop();
  // Ends all use: later calls fail with unavailable.
  void close();

  using Collection::remove;
  using Collection::upsert;
  Result<UpdateResult> upsert(std::span<const Point> points,
                              const WriteOptions& options) override;
  Result<UpdateResult> remove(const Selector& points,
                              const WriteOptions& options) override;
  Result<UpdateResult> edit_payload(const Selector& points,
                                    const PayloadEdit& edit,
                                    const WriteOptions& options) override;
  Result<UpdateResult> create_payload_index(
      std::string_view key, PayloadIndexType type,
      const WriteOptions& options) override;
  Result<UpdateResult> drop_payload_index(std::string_view key,
                                          const WriteOptions& options) override;
  Result<std::vector<Record>> get(std::span<const PointId> ids,
                                  const GetOptions& options) const override;
  Result<Record> get(const PointId& id,
                     const GetOptions& options) const override;
  Result<std::vector<Hit>> query(VectorView vector,
                                 const QueryOptions& options) const override;
  Result<std::size_t> query_into(VectorView vector, const QueryOptions& options,
                                 std::span<Hit> hits,
                                 QueryStats* stats) const override;
  Result<std::vector<Hit>> query_by_id(
      const PointId& id, const QueryOptions& options) const override;
  Result<std::vector<std::vector<Hit>>> query_batch(
      std::span<const VectorView> vectors,
      const QueryOptions& options) const override;
  Result<ScrollPage> scroll(const ScrollOptions& options) const override;
  Result<std::uint64_t> count(const Filter& filter) const override;
  Result<std::vector<FacetHit>> facet(
      std::string_view key, const FacetOptions& options) const override;
  Result<CollectionInfo> info() const override;
  Status flush() override;

 private:
  enum class State { open, dropped, closed, broken };

  Status usable() const;
  void end(State state);
  Status validate_points(std::span<const Point> points) const;

  // write_mutex_, once it is this writer's turn.
  Result<std::unique_lock<std::mutex>> take_turn();
  // The points that a write is of; they stay what they are during its turn.
  struct Selection {
    std::unique_lock<std::mutex> turn;
    std::vector<PointId> ids;
  };
  Result<Selection> take_turn_for(const Selector& points);
  // Gives `record` the next sequence number, logs it and calls `apply`, which
  // changes the points of `ids`, under the rows' lock. `turn` is given back
  // before the wait for the disk.
  template <class Apply>
  Result<UpdateResult> write(std::unique_lock<std::mutex> turn,
                             std::string record, std::span<const PointId> ids,
                             const WriteOptions& options, const Apply& apply);
  // Runs `apply`, which changes these points, without readers. They are kept
  // out for that alone: what they are reading is copied before.
  template <class Apply>
  void change_rows(std::span<const PointId> ids, const Apply& apply);
  // After a write, while it is still its turn, without the rows' lock.
  Status renew_axes();
  Result<UpdateResult> wait_for_disk(CollectionFiles& files,
                                     const WriteOptions& options,
                                     UpdateResult result);
  // Give work to upkeep_ that a write made due. `turn` is the write's.
  void schedule_snapshot(std::unique_lock<std::mutex> turn,
                         std::size_t record_bytes);
  void schedule_sync();
  // False when it could not be given.
  bool hand_over(void (LocalCollection::*work)(),
                 std::chrono::milliseconds delay);
  void take_due_snapshot();
  void sync();
  Status write_points(storage::SnapshotWriter& writer) const;

  // A query, and the rows' lock if it needs that until its rows are found.
  struct Prepared {
    std::shared_lock<std::shared_mutex> lock;
    PointQuery query;
  };
  Result<Prepared> prepare(const QueryOptions& options) const;
  std::shared_ptr<const rows::RowView> view_soon() const;

  // The readers below expect the rows' lock to be held.
  // Absent when the filter has no conditions, and so lets all pass.
  Result<std::optional<filter::Matching>> matching(const Filter& filter) const;
  ScrollPage page_by_id(const search::RowSet* matching,
                        const ScrollOptions& options) const;
  ScrollPage page_by_value(const search::RowSet* matching,
                           const ScrollOptions& options) const;
  Record record_at(rows::Row row, const GetOptions& options) const;
  Status validate_query(VectorView vector, const QueryOptions& options) const;

  const std::string name_;
  const CollectionOptions options_;
  std::atomic<State> state_{State::open};

  std::mutex write_mutex_;  // One writer at a time, taken before rows_mutex_.
  std::uint64_t sequence_ = 0;  // Of the last write; under write_mutex_.
  // Null when there are no files. Set before use, reset under write_mutex_;
  // shared, because a writer that waits for the disk holds no lock.
  std::shared_ptr<CollectionFiles> files_;
  Upkeep* upkeep_ = nullptr;
  std::atomic<bool> snapshot_scheduled_{false};
  std::atomic<bool> sync_scheduled_{false};

  mutable rows::FairSharedMutex rows_mutex_;
  PointTable table_;
  // Null without a graph. Reset under write_mutex_; last, as it uses the rest.
  std::unique_ptr<GraphBuilder> builder_;
};

}  // namespace lamina
