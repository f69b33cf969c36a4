#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "lamina/store.h"

namespace lamina {

// A collection whose calls say resource_exhausted when memory runs out, where
// those of the one inside would throw.
class GuardedCollection : public Collection {
 public:
  explicit GuardedCollection(std::shared_ptr<Collection> inside)
      : inside_(std::move(inside)) {}

  Collection& inside() { return *inside_; }

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
  std::shared_ptr<Collection> inside_;
};

}  // namespace lamina
