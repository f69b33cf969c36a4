#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lamina/store.h"
#include "rows/fair_shared_mutex.h"
#include "rows/row_table.h"
#include "search/flat_scan.h"
#include "storage/group_commit.h"
#include "storage/log_format.h"
#include "storage/log_reader.h"
#include "storage/log_writer.h"

namespace lamina {

// A Collection in this process. A write is checked, logged, applied to the
// rows, and only then waits for the disk: readers and other writers go on
// meanwhile, and writers that wait together share one fdatasync.
class LocalCollection : public Collection {
 public:
  // Without files.
  LocalCollection(std::string name, const CollectionOptions& options);

  // Starts an empty log in `directory`.
  static Result<std::shared_ptr<LocalCollection>> create(
      std::string name, const CollectionOptions& options,
      const std::filesystem::path& directory);

  // Reads the log in `directory` back, and cuts a torn tail off before the
  // first new write could land behind it.
  static Result<std::shared_ptr<LocalCollection>> open(
      std::string name, const CollectionOptions& options,
      const std::filesystem::path& directory, storage::ReplayResult* replayed);

  // Ends all use: later calls fail with not_found, and memory is given back.
  void drop();
  // Ends all use: later calls fail with unavailable.
  void close();

  using Collection::remove;
  using Collection::upsert;
  Result<UpdateResult> upsert(std::span<const Point> points,
                              const WriteOptions& options) override;
  Result<UpdateResult> remove(std::span<const PointId> ids,
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
  Result<std::uint64_t> count() const override;
  Result<CollectionInfo> info() const override;
  Status flush() override;

 private:
  enum class State { open, dropped, closed };

  struct Log {
    explicit Log(std::unique_ptr<storage::LogWriter> log_writer,
                 std::uint64_t durable_sequence)
        : writer(std::move(log_writer)),
          commit(writer->file(), durable_sequence) {}
    std::unique_ptr<storage::LogWriter> writer;
    storage::GroupCommit commit;
  };

  Status usable() const;
  void end(State state);
  Status validate_points(std::span<const Point> points) const;

  // Gives `record` the next sequence number, logs it and applies `body_of` it
  // to the rows under the rows' lock.
  template <class Apply>
  Result<UpdateResult> write(std::string record, const WriteOptions& options,
                             const Apply& apply);
  void apply(std::uint64_t sequence, const storage::RecordBody& body);
  // After a write, with write_mutex_ held and rows_mutex_ not.
  void renew_axes();

  // The readers below expect the rows' lock to be held.
  Record record_at(rows::Row row, const GetOptions& options) const;
  Status validate_query(VectorView vector, const QueryOptions& options) const;
  // The scan's part of a query.
  search::FlatQuery flat_query(VectorView vector, const QueryOptions& options,
                               bool excludes_one) const;
  // Runs one query. The answer is in memory of the calling thread's, and stays
  // until its next query.
  std::span<const search::ScoredRow> ranked(
      VectorView vector, const QueryOptions& options, const PointId* excluded,
      search::FlatScanStats* stats = nullptr) const;
  // The part of an answer that the options leave.
  std::span<const search::ScoredRow> cut(search::FlatQuery* answered,
                                         const QueryOptions& options,
                                         const PointId* excluded) const;
  std::vector<Hit> hits_of(std::span<const search::ScoredRow> rows,
                           const QueryOptions& options) const;
  void write_hit(const search::ScoredRow& scored, const QueryOptions& options,
                 Hit* hit) const;

  const std::string name_;
  const CollectionOptions options_;
  std::atomic<State> state_{State::open};

  std::mutex write_mutex_;  // One writer at a time, taken before rows_mutex_.
  std::uint64_t sequence_ = 0;  // Of the last write; under write_mutex_.
  // Null when there are no files. Set before use, reset under write_mutex_;
  // shared, because a writer that waits for the disk holds no lock.
  std::shared_ptr<Log> log_;

  mutable rows::FairSharedMutex rows_mutex_;
  rows::RowTable rows_;
};

}  // namespace lamina
