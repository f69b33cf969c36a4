#include "guarded_collection.h"

#include "allocation_guard.h"

namespace lamina {

Result<UpdateResult> GuardedCollection::upsert(std::span<const Point> points,
                                               const WriteOptions& options) {
  return guard_allocation([&] { return inside_->upsert(points, options); });
}

Result<UpdateResult> GuardedCollection::remove(const Selector& points,
                                               const WriteOptions& options) {
  return guard_allocation([&] { return inside_->remove(points, options); });
}

Result<UpdateResult> GuardedCollection::edit_payload(
    const Selector& points, const PayloadEdit& edit,
    const WriteOptions& options) {
  return guard_allocation(
      [&] { return inside_->edit_payload(points, edit, options); });
}

Result<UpdateResult> GuardedCollection::create_payload_index(
    std::string_view key, PayloadIndexType type, const WriteOptions& options) {
  return guard_allocation(
      [&] { return inside_->create_payload_index(key, type, options); });
}

Result<UpdateResult> GuardedCollection::drop_payload_index(
    std::string_view key, const WriteOptions& options) {
  return guard_allocation(
      [&] { return inside_->drop_payload_index(key, options); });
}

Result<std::vector<Record>> GuardedCollection::get(
    std::span<const PointId> ids, const GetOptions& options) const {
  return guard_allocation([&] { return inside_->get(ids, options); });
}

Result<Record> GuardedCollection::get(const PointId& id,
                                      const GetOptions& options) const {
  return guard_allocation([&] { return inside_->get(id, options); });
}

Result<std::vector<Hit>> GuardedCollection::query(
    VectorView vector, const QueryOptions& options) const {
  return guard_allocation([&] { return inside_->query(vector, options); });
}

Result<std::size_t> GuardedCollection::query_into(VectorView vector,
                                                  const QueryOptions& options,
                                                  std::span<Hit> hits,
                                                  QueryStats* stats) const {
  return guard_allocation(
      [&] { return inside_->query_into(vector, options, hits, stats); });
}

Result<std::vector<Hit>> GuardedCollection::query_by_id(
    const PointId& id, const QueryOptions& options) const {
  return guard_allocation([&] { return inside_->query_by_id(id, options); });
}

Result<std::vector<std::vector<Hit>>> GuardedCollection::query_batch(
    std::span<const VectorView> vectors, const QueryOptions& options) const {
  return guard_allocation(
      [&] { return inside_->query_batch(vectors, options); });
}

Result<ScrollPage> GuardedCollection::scroll(
    const ScrollOptions& options) const {
  return guard_allocation([&] { return inside_->scroll(options); });
}

Result<std::uint64_t> GuardedCollection::count(const Filter& filter) const {
  return guard_allocation([&] { return inside_->count(filter); });
}

Result<std::vector<FacetHit>> GuardedCollection::facet(
    std::string_view key, const FacetOptions& options) const {
  return guard_allocation([&] { return inside_->facet(key, options); });
}

Result<CollectionInfo> GuardedCollection::info() const {
  return guard_allocation([&] { return inside_->info(); });
}

Status GuardedCollection::flush() {
  return guard_allocation([&] { return inside_->flush(); });
}

}  // namespace lamina
