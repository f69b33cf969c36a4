#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lamina/store.h"
#include "session.h"

namespace lamina::client {

// A collection behind a server.
//
// Thread safety, lifetime: as Collection; keeps the session alive.
class RemoteCollection final : public Collection {
 public:
  RemoteCollection(std::shared_ptr<Session> session, std::string_view name);

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
  // A write to the target, "?wait=true" included.
  Result<UpdateResult> write(std::string_view method, const std::string& target,
                             const std::string& body,
                             const WriteOptions& options);

  // A read: POSTs `body` to what lies `below` the collection's points.
  template <class Decode>
  auto read(std::string_view below, const std::string& body,
            Decode decode) const {
    const std::string target = points_target_ + std::string(below);
    return session_->call({.method = "POST", .target = target, .body = body},
                          decode);
  }

  const std::shared_ptr<Session> session_;
  const std::string name_;
  const std::string points_target_;
};

}  // namespace lamina::client
