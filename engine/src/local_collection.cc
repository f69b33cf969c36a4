#include "local_collection.h"

#include <algorithm>
#include <utility>

#include "lamina/limits.h"
#include "search/exact_score.h"
#include "types/validate.h"

namespace lamina {
namespace {

constexpr std::string_view kLogName = "wal-00000001.log";
constexpr std::uint64_t kFirstSequence = 1;

std::string indexed(std::string_view list, std::size_t index,
                    std::string_view member = "") {
  return std::string(list) + "[" + std::to_string(index) + "]" +
         std::string(member);
}

bool passes(double score, const QueryOptions& options, Metric metric) {
  if (!options.score_threshold) return true;
  const float shown = search::to_user_score(score);
  return larger_is_better(metric) ? shown >= *options.score_threshold
                                  : shown <= *options.score_threshold;
}

std::string_view plan_of(const search::FlatScanStats& stats,
                         const rows::RowTable& table) {
  if (stats.along_axes) return "flat, principal axes";
  return table.has_centers() ? "flat, centred" : "flat";
}

}  // namespace

LocalCollection::LocalCollection(std::string name,
                                 const CollectionOptions& options)
    : name_(std::move(name)),
      options_(options),
      rows_(options.dimension, options.metric) {}

Result<std::shared_ptr<LocalCollection>> LocalCollection::create(
    std::string name, const CollectionOptions& options,
    const std::filesystem::path& directory) {
  Result<std::unique_ptr<storage::LogWriter>> writer =
      storage::LogWriter::create(directory / kLogName, kFirstSequence);
  if (!writer.ok()) return writer.status();
  auto collection = std::make_shared<LocalCollection>(std::move(name), options);
  collection->log_ = std::make_shared<Log>(*std::move(writer), 0);
  return collection;
}

Result<std::shared_ptr<LocalCollection>> LocalCollection::open(
    std::string name, const CollectionOptions& options,
    const std::filesystem::path& directory, storage::ReplayResult* replayed) {
  Result<std::unique_ptr<storage::File>> file =
      storage::open_file(directory / kLogName, /*create=*/false);
  if (!file.ok()) {
    const bool missing = file.status().code() == StatusCode::not_found;
    return missing ? Status::data_loss(file.status().message()) : file.status();
  }
  auto collection = std::make_shared<LocalCollection>(std::move(name), options);
  Result<storage::ReplayResult> result = storage::replay_log(
      **file, options.dimension, options.metric,
      [&](std::uint64_t sequence, const storage::RecordBody& body) {
        collection->apply(sequence, body);
      });
  if (!result.ok()) return result.status();
  *replayed = *result;
  Result<std::uint64_t> size = (*file)->size();
  if (!size.ok()) return size.status();
  if (result->torn_bytes > 0) {
    Status cut = (*file)->truncate(result->end);
    if (!cut.ok()) return cut;
    *size = result->end;
  }
  // What was read back may never have been synced; from here on it counts as
  // acknowledged history, so it must not vanish behind newer records.
  Status synced = (*file)->sync();
  if (!synced.ok()) return synced;
  collection->renew_axes();
  collection->sequence_ = result->last_sequence;
  collection->log_ =
      std::make_shared<Log>(std::make_unique<storage::LogWriter>(
                                *std::move(file), result->end, *size),
                            result->last_sequence);
  return collection;
}

void LocalCollection::drop() { end(State::dropped); }
void LocalCollection::close() { end(State::closed); }

void LocalCollection::end(State state) {
  const std::lock_guard writing(write_mutex_);
  state_.store(state);
  log_.reset();
  const auto rows_lock = rows_mutex_.write_lock();
  rows_ = rows::RowTable(options_.dimension, options_.metric);
}

Status LocalCollection::usable() const {
  switch (state_.load()) {
    case State::open:
      return {};
    case State::dropped:
      return missing_collection(name_);
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
                        indexed("points", i, ".vector"));
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

template <class Apply>
Result<UpdateResult> LocalCollection::write(std::string record,
                                            const WriteOptions& options,
                                            const Apply& apply) {
  std::shared_ptr<Log> log;
  UpdateResult result;
  {
    const std::lock_guard writing(write_mutex_);
    Status status = usable();
    if (!status.ok()) return status;
    result.sequence = sequence_ + 1;
    log = log_;
    if (log) {
      status = log->commit.failure();
      if (!status.ok()) return status;
      storage::seal_record(&record, result.sequence);
      status = log->writer->append(record);
      if (!status.ok()) return status;
      log->commit.wrote(result.sequence);
    }
    sequence_ = result.sequence;
    {
      const auto rows_lock = rows_mutex_.write_lock();
      apply(result.sequence);
    }
    renew_axes();
  }
  const Durability durability =
      options.durability.value_or(options_.durability.value_or(Durability::os));
  if (!log) return result;
  if (durability == Durability::fsync) {
    Status durable = log->commit.wait_durable(result.sequence);
    if (!durable.ok()) return durable;
  }
  result.durable = log->commit.durable_sequence() >= result.sequence;
  return result;
}

// Choosing and coding only read, so queries go on; writers wait.
void LocalCollection::renew_axes() {
  if (!rows_.axes_are_due()) return;
  std::unique_ptr<rows::AxisCodes> codes = rows_.make_axis_codes();
  const auto rows_lock = rows_mutex_.write_lock();
  rows_.set_axis_codes(std::move(codes));
}

Result<UpdateResult> LocalCollection::upsert(std::span<const Point> points,
                                             const WriteOptions& options) {
  Status valid = usable();
  if (valid.ok()) valid = validate_points(points);
  if (!valid.ok()) return valid;
  return write(storage::encode_upsert_record(points, options_.dimension),
               options, [&](std::uint64_t sequence) {
                 for (const Point& point : points) {
                   rows_.put(point.id, point.vector, point.payload, sequence);
                 }
               });
}

Result<UpdateResult> LocalCollection::remove(std::span<const PointId> ids,
                                             const WriteOptions& options) {
  Status valid = usable();
  if (valid.ok()) {
    valid = validate_batch_size("points", ids.size(), kMaxBatchPoints);
  }
  if (!valid.ok()) return valid;
  return write(storage::encode_remove_record(ids), options, [&](std::uint64_t) {
    for (const PointId& id : ids) rows_.erase(id);
  });
}

void LocalCollection::apply(std::uint64_t sequence,
                            const storage::RecordBody& body) {
  if (const auto* upserted = std::get_if<storage::UpsertBody>(&body)) {
    for (const Point& point : upserted->points) {
      rows_.put(point.id, point.vector, point.payload, sequence);
    }
    return;
  }
  for (const PointId& id : std::get<storage::RemoveBody>(body).ids) {
    rows_.erase(id);
  }
}

Record LocalCollection::record_at(rows::Row row,
                                  const GetOptions& options) const {
  Record record;
  record.id = rows_.id(row);
  if (options.with_vector) {
    const VectorView vector = rows_.vector(row);
    record.vector.emplace(vector.begin(), vector.end());
  }
  if (options.with_payload) record.payload = rows_.payload(row);
  return record;
}

Result<std::vector<Record>> LocalCollection::get(
    std::span<const PointId> ids, const GetOptions& options) const {
  Status valid = usable();
  if (valid.ok()) {
    valid = validate_batch_size("ids", ids.size(), kMaxBatchPoints);
  }
  if (!valid.ok()) return valid;
  std::vector<Record> records;
  const auto lock = rows_mutex_.read_lock();
  records.reserve(std::min(ids.size(), rows_.size()));
  for (const PointId& id : ids) {
    const std::optional<rows::Row> row = rows_.find(id);
    if (row) records.push_back(record_at(*row, options));
  }
  return records;
}

Result<Record> LocalCollection::get(const PointId& id,
                                    const GetOptions& options) const {
  Status valid = usable();
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const std::optional<rows::Row> row = rows_.find(id);
  if (!row) {
    return Status::not_found("Point with id " + id.to_string() +
                             " does not exists!");
  }
  return record_at(*row, options);
}

search::FlatQuery LocalCollection::flat_query(VectorView vector,
                                              const QueryOptions& options,
                                              bool excludes_one) const {
  // Each of the two is at most 2^63 - 1, so the sum cannot wrap.
  const std::uint64_t wanted = options.top_k + options.offset;
  const std::size_t k = std::min<std::uint64_t>(wanted, rows_.size());
  return {.vector = vector,
          .k = k + (excludes_one ? 1 : 0),
          .score_threshold = options.score_threshold};
}

std::span<const search::ScoredRow> LocalCollection::cut(
    search::FlatQuery* answered, const QueryOptions& options,
    const PointId* excluded) const {
  std::vector<search::ScoredRow>& best = answered->best;
  if (excluded != nullptr) {
    std::erase_if(best, [&](const search::ScoredRow& scored) {
      return rows_.id(scored.row) == *excluded;
    });
  }
  const auto end = std::partition_point(
      best.begin(), best.end(), [&](const search::ScoredRow& scored) {
        return passes(scored.score, options, options_.metric);
      });
  const auto passing = static_cast<std::size_t>(end - best.begin());
  const std::size_t begin = std::min<std::uint64_t>(options.offset, passing);
  const std::size_t count =
      std::min<std::uint64_t>(options.top_k, passing - begin);
  return std::span(best).subspan(begin, count);
}

std::vector<Hit> LocalCollection::hits_of(
    std::span<const search::ScoredRow> rows,
    const QueryOptions& options) const {
  std::vector<Hit> hits(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    write_hit(rows[i], options, &hits[i]);
  }
  return hits;
}

void LocalCollection::write_hit(const search::ScoredRow& scored,
                                const QueryOptions& options, Hit* hit) const {
  hit->id = rows_.id(scored.row);
  hit->score = search::to_user_score(scored.score);
  hit->version = rows_.version(scored.row);
  hit->vector.reset();
  hit->payload.reset();
  if (options.with_vector) {
    const VectorView vector = rows_.vector(scored.row);
    hit->vector.emplace(vector.begin(), vector.end());
  }
  if (options.with_payload) hit->payload = rows_.payload(scored.row);
}

std::span<const search::ScoredRow> LocalCollection::ranked(
    VectorView vector, const QueryOptions& options, const PointId* excluded,
    search::FlatScanStats* stats) const {
  // Keeps its memory from query to query, so that none need allocate.
  thread_local search::FlatQuery scan;
  std::vector<search::ScoredRow> memory = std::move(scan.best);
  scan = flat_query(vector, options, excluded != nullptr);
  scan.best = std::move(memory);
  search::parallel_flat_scan(rows_, {&scan, 1}, options.threads);
  if (stats != nullptr) *stats = scan.stats;
  return cut(&scan, options, excluded);
}

Status LocalCollection::validate_query(VectorView vector,
                                       const QueryOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_query_options(options);
  if (valid.ok()) {
    valid =
        validate_vector(vector, options_.dimension, options_.metric, "query");
  }
  return valid;
}

Result<std::vector<Hit>> LocalCollection::query(
    VectorView vector, const QueryOptions& options) const {
  Status valid = validate_query(vector, options);
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  return hits_of(ranked(vector, options, nullptr), options);
}

Result<std::size_t> LocalCollection::query_into(VectorView vector,
                                                const QueryOptions& options,
                                                std::span<Hit> hits,
                                                QueryStats* stats) const {
  Status valid = validate_query(vector, options);
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  search::FlatScanStats scan_stats;
  const auto rows = ranked(vector, options, nullptr, &scan_stats);
  const std::size_t count = std::min(rows.size(), hits.size());
  for (std::size_t i = 0; i < count; ++i) {
    write_hit(rows[i], options, &hits[i]);
  }
  if (stats != nullptr) {
    *stats = {.plan = plan_of(scan_stats, rows_),
              .kernel = kernels::active().name,
              .rows_scanned = scan_stats.rows_scanned,
              .rows_refined = scan_stats.rows_refined,
              .rows_rescored = scan_stats.rows_rescored};
  }
  return count;
}

Result<std::vector<Hit>> LocalCollection::query_by_id(
    const PointId& id, const QueryOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_query_options(options);
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const std::optional<rows::Row> row = rows_.find(id);
  if (!row) {
    return Status::not_found("No point with id " + id.to_string() + " found");
  }
  return hits_of(ranked(rows_.vector(*row), options, &id), options);
}

Result<std::vector<std::vector<Hit>>> LocalCollection::query_batch(
    std::span<const VectorView> vectors, const QueryOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_query_options(options);
  if (valid.ok() && vectors.size() > kMaxBatchQueries) {
    valid = validate_batch_size("queries", vectors.size(), kMaxBatchQueries);
  }
  for (std::size_t i = 0; valid.ok() && i < vectors.size(); ++i) {
    valid = validate_vector(vectors[i], options_.dimension, options_.metric,
                            indexed("queries", i));
  }
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  std::vector<search::FlatQuery> scans;
  scans.reserve(vectors.size());
  for (const VectorView vector : vectors) {
    scans.push_back(flat_query(vector, options, false));
  }
  search::parallel_flat_scan(rows_, scans, options.threads);
  std::vector<std::vector<Hit>> lists;
  lists.reserve(vectors.size());
  for (search::FlatQuery& scan : scans) {
    lists.push_back(hits_of(cut(&scan, options, nullptr), options));
  }
  return lists;
}

Result<ScrollPage> LocalCollection::scroll(const ScrollOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_positive_count("limit", options.limit);
  if (valid.ok() && !options.filter.empty()) {
    valid = Status::invalid_field("filter", "is not supported yet");
  }
  if (!valid.ok()) return valid;
  const GetOptions parts = {.with_payload = options.with_payload,
                            .with_vector = options.with_vector};
  ScrollPage page;
  const auto lock = rows_mutex_.read_lock();
  const auto& by_id = rows_.by_id();
  auto next =
      options.offset ? by_id.lower_bound(*options.offset) : by_id.begin();
  for (; next != by_id.end(); ++next) {
    if (page.points.size() == options.limit) {
      page.next_offset = next->first;
      break;
    }
    page.points.push_back(record_at(next->second, parts));
  }
  return page;
}

Result<std::uint64_t> LocalCollection::count() const {
  Status valid = usable();
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  return std::uint64_t{rows_.size()};
}

Result<CollectionInfo> LocalCollection::info() const {
  Result<std::uint64_t> points = count();
  if (!points.ok()) return points.status();
  return CollectionInfo{.name = name_,
                        .dimension = options_.dimension,
                        .metric = options_.metric,
                        .point_count = *points};
}

Status LocalCollection::flush() {
  std::shared_ptr<Log> log;
  std::uint64_t last = 0;
  {
    const std::lock_guard writing(write_mutex_);
    Status valid = usable();
    if (!valid.ok()) return valid;
    log = log_;
    last = sequence_;
  }
  return log ? log->commit.wait_durable(last) : Status();
}

}  // namespace lamina
