#include "routes/payload.h"

#include "protocol/payload_json.h"

namespace lamina::server {
namespace {

using protocol::EditPayloadRequest;
using protocol::ErrorOrigin;

Reply edit_payload(const Call& call,
                   const Result<EditPayloadRequest>& request) {
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const auto passing = call.pass_gate();
  Result<UpdateResult> result =
      (*collection)
          ->edit_payload(request->points, request->edit, call.write_options);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

}  // namespace

Reply set_payload(const Call& call) {
  return edit_payload(call, protocol::decode_set_payload(call.body()));
}

Reply overwrite_payload(const Call& call) {
  return edit_payload(call, protocol::decode_overwrite_payload(call.body()));
}

Reply delete_payload(const Call& call) {
  return edit_payload(call, protocol::decode_delete_payload(call.body()));
}

Reply clear_payload(const Call& call) {
  return edit_payload(call, protocol::decode_clear_payload(call.body()));
}

Reply create_payload_index(const Call& call) {
  const Result<protocol::CreateIndexRequest> request =
      protocol::decode_create_index(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<UpdateResult> result =
      (*collection)
          ->create_payload_index(request->key, request->type,
                                 call.write_options);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

Reply drop_payload_index(const Call& call) {
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<UpdateResult> result =
      (*collection)->drop_payload_index(call.field_name, call.write_options);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

Reply facet(const Call& call) {
  const Result<protocol::FacetRequest> request =
      protocol::decode_facet(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<std::vector<FacetHit>> hits =
      (*collection)->facet(request->key, request->options);
  if (!hits.ok()) return call.error(hits.status());
  return call.json(protocol::encode_facet_reply(*hits, call.seconds()));
}

}  // namespace lamina::server
