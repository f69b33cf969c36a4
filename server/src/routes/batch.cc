#include "routes/batch.h"

#include <utility>
#include <variant>

#include "protocol/batch_json.h"
#include "protocol/paths.h"
#include "routes/conditional_writes.h"

namespace lamina::server {
namespace {

using protocol::ErrorOrigin;

struct RunWrite {
  const Call& call;
  Collection& collection;

  Result<UpdateResult> operator()(const protocol::PointBatch& batch) const {
    return upsert_where(call, collection, batch);
  }
  Result<UpdateResult> operator()(const protocol::UpdateVectors& update) const {
    return update_vectors_where(call, collection, update);
  }
  Result<UpdateResult> operator()(const Selector& points) const {
    const auto passing = call.pass_gate();
    return collection.remove(points, call.write_options);
  }
  Result<UpdateResult> operator()(
      const protocol::EditPayloadRequest& request) const {
    const auto passing = call.pass_gate();
    return collection.edit_payload(request.points, request.edit,
                                   call.write_options);
  }
};

}  // namespace

Reply batch_update(const Call& call) {
  Result<std::vector<protocol::Operation>> operations =
      protocol::decode_operations(call.body());
  if (!operations.ok()) {
    return call.error(operations.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());

  std::vector<UpdateResult> results;
  bool durable = true;
  for (const protocol::Operation& operation : *operations) {
    Result<UpdateResult> result =
        std::visit(RunWrite{call, **collection}, operation.write);
    if (!result.ok()) {
      return call.error(
          protocol::at_operation(operation.path, result.status()));
    }
    durable = durable && result->durable;
    results.push_back(*result);
  }
  Reply reply = call.json(protocol::encode_updates_reply(
      results, call.parameters.wait, call.seconds()));
  reply.headers.emplace_back(protocol::kDurableHeader,
                             durable ? "true" : "false");
  return reply;
}

Reply update_vectors(const Call& call) {
  const Result<protocol::UpdateVectors> update =
      protocol::decode_update_vectors(call.body());
  if (!update.ok()) {
    return call.error(update.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<UpdateResult> result =
      update_vectors_where(call, **collection, *update);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

Reply delete_vectors(const Call& call) {
  const Status refused = protocol::check_delete_vectors(call.body());
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  return call.error(refused);
}

}  // namespace lamina::server
