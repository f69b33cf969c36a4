// The reading half of LocalCollection.
#include <algorithm>
#include <string>
#include <utility>

#include "lamina/limits.h"
#include "listing/listing.h"
#include "local_collection.h"
#include "types/filter_check.h"
#include "types/validate.h"

namespace lamina {

Record LocalCollection::record_at(rows::Row row,
                                  const GetOptions& options) const {
  Record record;
  record.id = table_.rows().id(row);
  if (options.with_vector) {
    const VectorView vector = table_.rows().vector(row);
    record.vector.emplace(vector.begin(), vector.end());
  }
  if (options.with_payload) record.payload = table_.rows().payload(row);
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
  records.reserve(std::min(ids.size(), table_.rows().size()));
  for (const PointId& id : ids) {
    const std::optional<rows::Row> row = table_.rows().find(id);
    if (row) records.push_back(record_at(*row, options));
  }
  return records;
}

Result<Record> LocalCollection::get(const PointId& id,
                                    const GetOptions& options) const {
  Status valid = usable();
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const std::optional<rows::Row> row = table_.rows().find(id);
  if (!row) {
    return Status::not_found("Point with id " + id.to_string() +
                             " does not exists!");
  }
  return record_at(*row, options);
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

// The rows as they are now, without the lock: a thread that sleeps for it wakes
// much later than the writer has gone. Null when that takes too long.
std::shared_ptr<const rows::RowView> LocalCollection::view_soon() const {
  constexpr int kTries = 2'000;  // Some ten microseconds.
  for (int i = 0; i < kTries; ++i) {
    if (auto view = table_.rows().view()) return view;
  }
  return nullptr;
}

// A scan looks at the rows as they are now, whatever is written meanwhile; only
// a graph is walked under the lock.
Result<LocalCollection::Prepared> LocalCollection::prepare(
    const QueryOptions& options) const {
  if (options.filter.empty() && !options_.hnsw) {
    if (auto view = view_soon())
      return Prepared{{}, {std::move(view), options}};
  }
  auto lock = rows_mutex_.read_lock();
  Result<PointQuery> query = PointQuery::prepare(table_, options);
  if (!query.ok()) return query.status();
  if (!query->walks_graph()) lock.unlock();
  return Prepared{std::move(lock), *std::move(query)};
}

Result<std::vector<Hit>> LocalCollection::query(
    VectorView vector, const QueryOptions& options) const {
  Status valid = validate_query(vector, options);
  if (!valid.ok()) return valid;
  const Result<Prepared> prepared = prepare(options);
  if (!prepared.ok()) return prepared.status();
  const PointQuery& query = prepared->query;
  return query.hits(query.best_rows(vector, nullptr));
}

Result<std::size_t> LocalCollection::query_into(VectorView vector,
                                                const QueryOptions& options,
                                                std::span<Hit> hits,
                                                QueryStats* stats) const {
  Status valid = validate_query(vector, options);
  if (!valid.ok()) return valid;
  const Result<Prepared> prepared = prepare(options);
  if (!prepared.ok()) return prepared.status();
  const PointQuery& query = prepared->query;
  search::FlatScanStats scan;
  const auto rows = query.best_rows(vector, nullptr, &scan);
  const std::size_t count = std::min(rows.size(), hits.size());
  for (std::size_t i = 0; i < count; ++i) query.write_hit(rows[i], &hits[i]);
  if (stats != nullptr) *stats = query.stats(scan);
  return count;
}

Result<std::vector<Hit>> LocalCollection::query_by_id(
    const PointId& id, const QueryOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_query_options(options);
  if (!valid.ok()) return valid;
  Result<Record> point = get(id, {.with_payload = false, .with_vector = true});
  if (point.status().code() == StatusCode::not_found) {
    return Status::not_found("No point with id " + id.to_string() + " found");
  }
  if (!point.ok()) return point.status();
  const Result<Prepared> prepared = prepare(options);
  if (!prepared.ok()) return prepared.status();
  const PointQuery& query = prepared->query;
  return query.hits(query.best_rows(*point->vector, &id));
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
                            "queries[" + std::to_string(i) + "]");
  }
  if (!valid.ok()) return valid;
  const Result<Prepared> prepared = prepare(options);
  if (!prepared.ok()) return prepared.status();
  return prepared->query.batch(vectors);
}

Result<std::optional<filter::Matching>> LocalCollection::matching(
    const Filter& filter) const {
  std::optional<filter::Matching> found;
  if (filter.empty()) return found;
  Result<filter::Matching> matching = table_.matching(filter);
  if (!matching.ok()) return matching.status();
  found = *std::move(matching);
  return found;
}

Result<ScrollPage> LocalCollection::scroll(const ScrollOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_scroll_options(options);
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const auto found = matching(options.filter);
  if (!found.ok()) return found.status();
  const search::RowSet* set = *found ? &(*found)->rows : nullptr;
  return options.order_by ? page_by_value(set, options)
                          : page_by_id(set, options);
}

ScrollPage LocalCollection::page_by_id(const search::RowSet* matching,
                                       const ScrollOptions& options) const {
  const GetOptions parts = {.with_payload = options.with_payload,
                            .with_vector = options.with_vector};
  std::vector<rows::Row> rows = listing::rows_by_id(
      table_.rows(), matching, options.offset.value_or(PointId()),
      options.limit + 1);
  ScrollPage page;
  if (rows.size() > options.limit) {
    page.next_offset = table_.rows().id(rows.back());
    rows.pop_back();
  }
  page.points.reserve(rows.size());
  for (const rows::Row row : rows) page.points.push_back(record_at(row, parts));
  return page;
}

ScrollPage LocalCollection::page_by_value(const search::RowSet* matching,
                                          const ScrollOptions& options) const {
  const GetOptions parts = {.with_payload = options.with_payload,
                            .with_vector = options.with_vector};
  ScrollPage page;
  for (const listing::OrderedRow& ordered : listing::rows_by_value(
           table_.rows(), matching, *options.order_by, options.limit)) {
    page.points.push_back(record_at(ordered.row, parts));
    page.points.back().order_value = ordered.value;
  }
  return page;
}

Result<std::uint64_t> LocalCollection::count(const Filter& filter) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_filter(filter);
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const auto found = matching(filter);
  if (!found.ok()) return found.status();
  const std::size_t count =
      *found ? (*found)->rows.count() : table_.rows().size();
  return std::uint64_t{count};
}

Result<std::vector<FacetHit>> LocalCollection::facet(
    std::string_view key, const FacetOptions& options) const {
  Status valid = usable();
  if (valid.ok()) valid = validate_facet(key, options);
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const auto found = matching(options.filter);
  if (!found.ok()) return found.status();
  return listing::facet(table_.rows(), *found ? &(*found)->rows : nullptr, key,
                        options.limit);
}

Result<CollectionInfo> LocalCollection::info() const {
  Status valid = usable();
  if (!valid.ok()) return valid;
  const auto lock = rows_mutex_.read_lock();
  const search::LiveGraph* graph = table_.graph();
  return CollectionInfo{
      .name = name_,
      .dimension = options_.dimension,
      .metric = options_.metric,
      .point_count = table_.rows().size(),
      .payload_indexes = table_.indexes(),
      .hnsw = options_.hnsw,
      .linked_count = graph != nullptr ? graph->index().live_count() : 0};
}

}  // namespace lamina
