#include "routes/conditional_writes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lamina/limits.h"
#include "types/validate.h"

namespace lamina::server {
namespace {

using protocol::PointBatch;
using protocol::UpdateMode;

using Ids = std::vector<PointId>;

bool has(const Ids& sorted, const PointId& id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

// What Collection::upsert would say, also of points that are not written.
Status validate_points(const Collection& collection,
                       std::span<const Point> points) {
  const Status size =
      validate_batch_size("points", points.size(), kMaxBatchPoints);
  if (!size.ok()) return size;
  const Result<CollectionInfo> info = collection.info();
  if (!info.ok()) return info.status();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Status valid =
        validate_vector(points[i].vector, info->dimension, info->metric,
                        "points[" + std::to_string(i) + "].vector");
    if (!valid.ok()) return valid;
  }
  return {};
}

Ids sorted_ids(const std::vector<Record>& records) {
  Ids ids;
  ids.reserve(records.size());
  for (const Record& record : records) ids.push_back(record.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

Ids ids_of(std::span<const Point> points) {
  Ids ids;
  ids.reserve(points.size());
  for (const Point& point : points) ids.push_back(point.id);
  return ids;
}

Result<Ids> find_existing(const Collection& collection, const Ids& ids) {
  Result<std::vector<Record>> records =
      collection.get(ids, {.with_payload = false, .with_vector = false});
  if (!records.ok()) return records.status();
  return sorted_ids(*records);
}

// Those of `ids`, which are there, that match.
Result<Ids> find_matching(const Collection& collection, const Ids& ids,
                          const Filter& filter) {
  if (filter.empty() || ids.empty()) return ids;
  ScrollOptions options;
  options.limit = ids.size();
  options.filter =
      Filter::all_of({where::has_id(ids), where::Condition(filter)});
  options.with_payload = false;
  Result<ScrollPage> page = collection.scroll(options);
  if (!page.ok()) return page.status();
  return sorted_ids(page->points);
}

Result<UpdateResult> write(Collection& collection,
                           std::span<const Point> points,
                           const WriteOptions& options) {
  if (points.empty()) return UpdateResult{.sequence = 0, .durable = true};
  return collection.upsert(points, options);
}

}  // namespace

Result<UpdateResult> upsert_where(const Call& call, Collection& collection,
                                  const PointBatch& batch) {
  if (batch.condition().writes_all()) {
    const auto passing = call.pass_gate();
    return collection.upsert(batch.points(), call.write_options);
  }
  const auto alone = call.pass_gate_alone();
  const Status valid = validate_points(collection, batch.points());
  if (!valid.ok()) return valid;
  const Result<Ids> existing =
      find_existing(collection, ids_of(batch.points()));
  if (!existing.ok()) return existing.status();
  const UpdateMode mode = batch.condition().mode;
  const Result<Ids> replaced =
      mode == UpdateMode::insert_only
          ? Result<Ids>(Ids())
          : find_matching(collection, *existing, batch.condition().filter);
  if (!replaced.ok()) return replaced.status();

  std::vector<Point> chosen;
  for (const Point& point : batch.points()) {
    const bool passes = has(*existing, point.id)
                            ? has(*replaced, point.id)
                            : mode != UpdateMode::update_only;
    if (passes) chosen.push_back(point);
  }
  return write(collection, chosen, call.write_options);
}

Result<UpdateResult> update_vectors_where(
    const Call& call, Collection& collection,
    const protocol::UpdateVectors& update) {
  const PointBatch& batch = update.points;
  const auto alone = call.pass_gate_alone();
  const Status valid = validate_points(collection, batch.points());
  if (!valid.ok()) return valid;
  const Ids ids = ids_of(batch.points());
  Result<std::vector<Record>> records =
      collection.get(ids, {.with_payload = true, .with_vector = false});
  if (!records.ok()) return records.status();
  const Ids existing = sorted_ids(*records);
  for (const PointId& id : ids) {
    if (has(existing, id)) continue;
    return Status::not_found("No point with id " + id.to_string() + " found");
  }
  const Result<Ids> matching =
      find_matching(collection, existing, batch.condition().filter);
  if (!matching.ok()) return matching.status();

  // All are there, so the records are in the order of the ids.
  std::vector<Point> chosen;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!has(*matching, ids[i])) continue;
    chosen.push_back(
        {ids[i], batch.points()[i].vector, *std::move((*records)[i].payload)});
  }
  return write(collection, chosen, call.write_options);
}

}  // namespace lamina::server
