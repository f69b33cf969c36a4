#include "remote_collection.h"

#include <utility>

#include "protocol/collection_json.h"
#include "protocol/paths.h"
#include "protocol/payload_json.h"
#include "protocol/points_json.h"
#include "protocol/query_json.h"
#include "types/filter_check.h"
#include "types/validate.h"

namespace lamina::client {
namespace {

std::string indexed(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

Status check_selector(const Selector& points) {
  Status checked = validate_selector(points);
  if (!checked.ok() || points.filter() == nullptr) return checked;
  return refuse_predicate(*points.filter());
}

Status check_query_options(const QueryOptions& options) {
  Status checked = validate_query_options(options);
  return checked.ok() ? refuse_predicate(options.filter) : checked;
}

}  // namespace

// Calls check here, in the engine's words, what the server cannot: values that
// are not finite, which JSON does not have, filters that have no JSON form,
// counts beyond the limit and filters without conditions, which the protocol
// reads as "all". All else is left to the server.

RemoteCollection::RemoteCollection(std::shared_ptr<Session> session,
                                   std::string_view name)
    : session_(std::move(session)),
      name_(name),
      points_target_(session_->target(protocol::points_path(name))) {}

Result<UpdateResult> RemoteCollection::upsert(std::span<const Point> points,
                                              const WriteOptions& options) {
  for (std::size_t index = 0; index < points.size(); ++index) {
    Status finite = validate_finite(points[index].vector,
                                    indexed("points", index) + ".vector");
    if (!finite.ok()) return finite;
  }
  return write("PUT", points_target_ + "?wait=true",
               protocol::encode_upsert(points), options);
}

Result<UpdateResult> RemoteCollection::remove(const Selector& points,
                                              const WriteOptions& options) {
  Status checked = check_selector(points);
  if (!checked.ok()) return checked;
  return write("POST", points_target_ + "/delete?wait=true",
               protocol::encode_remove(points), options);
}

Result<UpdateResult> RemoteCollection::edit_payload(
    const Selector& points, const PayloadEdit& edit,
    const WriteOptions& options) {
  Status checked = check_selector(points);
  if (!checked.ok()) return checked;
  const protocol::EditRoute route = protocol::route_of(edit);
  return write(route.method,
               points_target_ + std::string(route.below) + "?wait=true",
               protocol::encode_edit_payload(points, edit), options);
}

Result<UpdateResult> RemoteCollection::create_payload_index(
    std::string_view key, PayloadIndexType type, const WriteOptions& options) {
  return write("PUT",
               session_->target(protocol::index_path(name_)) + "?wait=true",
               protocol::encode_create_index(key, type), options);
}

Result<UpdateResult> RemoteCollection::drop_payload_index(
    std::string_view key, const WriteOptions& options) {
  Status checked = validate_path("key", key);  // An empty one is no path.
  if (!checked.ok()) return checked;
  return write(
      "DELETE",
      session_->target(protocol::index_path(name_, key)) + "?wait=true", "",
      options);
}

Result<UpdateResult> RemoteCollection::write(std::string_view method,
                                             const std::string& target,
                                             const std::string& body,
                                             const WriteOptions& options) {
  HttpRequest request{.method = method, .target = target, .body = body};
  if (options.durability) request.durability = to_string(*options.durability);
  const Result<HttpReply> reply = session_->send(request);
  if (!reply.ok()) return reply.status();
  return session_->understood(
      request, protocol::decode_update_reply(reply->body, reply->durable));
}

Result<std::vector<Record>> RemoteCollection::get(
    std::span<const PointId> ids, const GetOptions& options) const {
  return read("", protocol::encode_retrieve(ids, options),
              protocol::decode_records_reply);
}

Result<Record> RemoteCollection::get(const PointId& id,
                                     const GetOptions& options) const {
  const std::string target = session_->target(protocol::point_path(name_, id));
  Result<Record> record = session_->call({.method = "GET", .target = target},
                                         protocol::decode_record_reply);
  if (!record.ok()) return record;
  // The route knows no options.
  if (!options.with_payload) record->payload.reset();
  if (!options.with_vector) record->vector.reset();
  return record;
}

Result<std::vector<Hit>> RemoteCollection::query(
    VectorView vector, const QueryOptions& options) const {
  Status checked = check_query_options(options);
  if (checked.ok()) checked = validate_finite(vector, "query");
  if (!checked.ok()) return checked;
  return read("/query", protocol::encode_query(vector, options),
              protocol::decode_hits_reply);
}

Result<std::vector<Hit>> RemoteCollection::query_by_id(
    const PointId& id, const QueryOptions& options) const {
  Status checked = check_query_options(options);
  if (!checked.ok()) return checked;
  return read("/query", protocol::encode_query_by_id(id, options),
              protocol::decode_hits_reply);
}

Result<std::vector<std::vector<Hit>>> RemoteCollection::query_batch(
    std::span<const VectorView> vectors, const QueryOptions& options) const {
  Status checked = check_query_options(options);
  for (std::size_t i = 0; checked.ok() && i < vectors.size(); ++i) {
    checked = validate_finite(vectors[i], indexed("queries", i));
  }
  if (!checked.ok()) return checked;
  return read("/query/batch", protocol::encode_query_batch(vectors, options),
              protocol::decode_hits_batch_reply);
}

Result<ScrollPage> RemoteCollection::scroll(
    const ScrollOptions& options) const {
  Status checked = validate_scroll_options(options);
  if (checked.ok()) checked = refuse_predicate(options.filter);
  if (!checked.ok()) return checked;
  return read("/scroll", protocol::encode_scroll(options),
              protocol::decode_scroll_reply);
}

Result<std::uint64_t> RemoteCollection::count(const Filter& filter) const {
  Status checked = validate_filter(filter);
  if (checked.ok()) checked = refuse_predicate(filter);
  if (!checked.ok()) return checked;
  return read("/count", protocol::encode_count(filter),
              protocol::decode_count_reply);
}

Result<std::vector<FacetHit>> RemoteCollection::facet(
    std::string_view key, const FacetOptions& options) const {
  Status checked = validate_facet(key, options);
  if (checked.ok()) checked = refuse_predicate(options.filter);
  if (!checked.ok()) return checked;
  const std::string target = session_->target(protocol::facet_path(name_));
  const std::string body = protocol::encode_facet(key, options);
  return session_->call({.method = "POST", .target = target, .body = body},
                        protocol::decode_facet_reply);
}

Result<CollectionInfo> RemoteCollection::info() const {
  const std::string target = session_->target(protocol::collection_path(name_));
  return session_->call(
      {.method = "GET", .target = target}, [&](std::string_view body) {
        return protocol::decode_collection_info_reply(name_, body);
      });
}

Status RemoteCollection::flush() {
  const std::string target = session_->target(protocol::flush_path(name_));
  return session_
      ->call({.method = "POST", .target = target}, protocol::decode_bool_reply)
      .status();
}

}  // namespace lamina::client
