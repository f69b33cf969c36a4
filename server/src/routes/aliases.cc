#include "routes/aliases.h"

#include <vector>

#include "protocol/alias_json.h"
#include "protocol/collection_json.h"

namespace lamina::server {

Reply change_aliases(const Call& call) {
  const Result<std::vector<protocol::AliasAction>> actions =
      protocol::decode_alias_actions(call.body());
  if (!actions.ok()) {
    return call.error(actions.status(), protocol::ErrorOrigin::request_body);
  }
  const std::lock_guard names(call.state().names);
  const Status changed = call.catalog().change_aliases(*actions, call.store());
  if (!changed.ok()) return call.error(changed);
  return call.json(protocol::encode_bool_reply(true, call.seconds()));
}

Reply list_aliases(const Call& call) {
  return call.json(
      protocol::encode_aliases_reply(call.catalog().aliases(), call.seconds()));
}

Reply list_collection_aliases(const Call& call) {
  const Status opened = call.open_collection().status();
  if (opened.code() == StatusCode::not_found) return call.error(opened);
  const std::string name = call.real_name();
  std::vector<protocol::Alias> aliases = call.catalog().aliases();
  std::erase_if(aliases, [&](const protocol::Alias& alias) {
    return alias.collection != name;
  });
  return call.json(protocol::encode_aliases_reply(aliases, call.seconds()));
}

}  // namespace lamina::server
