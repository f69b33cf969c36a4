#include "routes/collections.h"

#include "protocol/collection_json.h"

namespace lamina::server {

using protocol::ErrorOrigin;

Reply list_collections(const Call& call) {
  Result<std::vector<std::string>> names = call.store().list_collections();
  if (!names.ok()) return call.error(names.status());
  return call.json(
      protocol::encode_collection_list_reply(*names, call.seconds()));
}

Reply create_collection(const Call& call) {
  Result<CollectionOptions> options =
      protocol::decode_create_collection(call.body());
  if (!options.ok()) {
    return call.error(options.status(), ErrorOrigin::request_body);
  }
  if (call.write_options.durability.has_value()) {
    options->durability = call.write_options.durability;
  }
  Result<std::shared_ptr<Collection>> created =
      call.store().create_collection(call.collection_name, *options);
  if (!created.ok()) return call.error(created.status());
  return call.json(protocol::encode_bool_reply(true, call.seconds()));
}

Reply get_collection(const Call& call) {
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<CollectionInfo> info = (*collection)->info();
  if (!info.ok()) return call.error(info.status());
  return call.json(
      protocol::encode_collection_info_reply(*info, call.seconds()));
}

Reply collection_exists(const Call& call) {
  const Status status = call.open_collection().status();
  // A damaged collection is there, though it cannot be opened.
  const bool exists = status.code() != StatusCode::not_found;
  return call.json(protocol::encode_exists_reply(exists, call.seconds()));
}

// A name that is not there is no error in the protocol: 200 and false.
Reply drop_collection(const Call& call) {
  Result<bool> dropped = call.store().drop_collection(call.collection_name);
  if (!dropped.ok()) return call.error(dropped.status());
  return call.json(protocol::encode_bool_reply(*dropped, call.seconds()));
}

Reply flush_collection(const Call& call) {
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const Status flushed = (*collection)->flush();
  if (!flushed.ok()) return call.error(flushed);
  return call.json(protocol::encode_bool_reply(true, call.seconds()));
}

}  // namespace lamina::server
