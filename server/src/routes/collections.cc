#include "routes/collections.h"

#include "protocol/collection_json.h"

namespace lamina::server {

using protocol::CollectionSettings;
using protocol::ErrorOrigin;

namespace {

// Settings that were read, and that this server accepts.
Status check_settings(const Call& call,
                      const Result<CollectionSettings>& settings) {
  if (!settings.ok() || !call.state().strict) return settings.status();
  const std::string refused = settings->refused_when_strict();
  if (refused.empty()) return {};
  return Status::invalid_argument(
      refused + ": has no effect, and --compat=strict refuses it");
}

}  // namespace

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
  const Result<CollectionSettings> settings =
      CollectionSettings::from_create(call.body());
  const Status kept = check_settings(call, settings);
  if (!kept.ok()) return call.error(kept, ErrorOrigin::request_body);

  const std::lock_guard names(call.state().names);
  if (call.catalog().find_alias(call.collection_name).has_value()) {
    return call.error(Status::already_exists("Alias `" + call.collection_name +
                                             "` already exists!"));
  }
  Result<std::shared_ptr<Collection>> created =
      call.store().create_collection(call.collection_name, *options);
  if (!created.ok()) return call.error(created.status());
  const Status stored =
      call.catalog().set_settings(call.collection_name, *settings);
  if (!stored.ok()) return call.error(stored);
  return call.json(protocol::encode_bool_reply(true, call.seconds()));
}

Reply get_collection(const Call& call) {
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<CollectionInfo> info = (*collection)->info();
  if (!info.ok()) return call.error(info.status());
  return call.json(protocol::encode_collection_info_reply(
      *info, call.catalog().settings(call.real_name()), call.seconds()));
}

Reply update_collection(const Call& call) {
  const Result<CollectionSettings> update =
      CollectionSettings::from_update(call.body());
  const Status kept = check_settings(call, update);
  if (!kept.ok()) return call.error(kept, ErrorOrigin::request_body);
  const std::lock_guard names(call.state().names);
  const Status opened = call.open_collection().status();
  if (!opened.ok()) return call.error(opened);
  const Status merged =
      call.catalog().merge_settings(call.real_name(), *update);
  if (!merged.ok()) return call.error(merged);
  return call.json(protocol::encode_bool_reply(true, call.seconds()));
}

Reply collection_exists(const Call& call) {
  const Status status = call.open_collection().status();
  // A damaged collection is there, though it cannot be opened.
  const bool exists = status.code() != StatusCode::not_found;
  return call.json(protocol::encode_exists_reply(exists, call.seconds()));
}

// A name that is not there is no error in the protocol: 200 and false.
Reply drop_collection(const Call& call) {
  const std::lock_guard names(call.state().names);
  Result<bool> dropped = call.store().drop_collection(call.collection_name);
  if (!dropped.ok()) return call.error(dropped.status());
  const Status forgotten = call.catalog().forget(call.collection_name);
  if (!forgotten.ok()) return call.error(forgotten);
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
