#include "protocol/alias_json.h"

#include <utility>

#include "protocol/message.h"

namespace lamina::protocol {
namespace {

void read_name(ObjectReader* object, std::string_view field,
               std::string* name) {
  object->require(field);
  object->read(field, name);
}

Result<AliasAction> read_create(ObjectReader* object) {
  CreateAlias create;
  read_name(object, "collection_name", &create.alias.collection);
  read_name(object, "alias_name", &create.alias.name);
  const Status read = object->finish();
  if (!read.ok()) return read;
  return AliasAction(std::move(create));
}

Result<AliasAction> read_delete(ObjectReader* object) {
  DeleteAlias erase;
  read_name(object, "alias_name", &erase.name);
  const Status read = object->finish();
  if (!read.ok()) return read;
  return AliasAction(std::move(erase));
}

Result<AliasAction> read_rename(ObjectReader* object) {
  RenameAlias rename;
  read_name(object, "old_alias_name", &rename.old_name);
  read_name(object, "new_alias_name", &rename.new_name);
  const Status read = object->finish();
  if (!read.ok()) return read;
  return AliasAction(std::move(rename));
}

struct ActionRow {
  std::string_view name;
  Result<AliasAction> (*read)(ObjectReader* object);
};

constexpr ActionRow kActions[] = {{"create_alias", read_create},
                                  {"delete_alias", read_delete},
                                  {"rename_alias", read_rename}};

// An object with one member, named after the action.
Result<AliasAction> read_action(const JsonValue& value, std::string_view path) {
  ObjectReader object(value, std::string(path));
  for (const ActionRow& row : kActions) {
    const JsonValue* action = object.find(row.name);
    if (action == nullptr) continue;
    const Status alone = object.finish();
    if (!alone.ok()) return alone;
    ObjectReader fields(*action, object.path_of(row.name));
    return row.read(&fields);
  }
  object.fail(Status::invalid_argument(
      std::string(path) +
      ": expected one of `create_alias`, `delete_alias`, `rename_alias`"));
  return object.status();
}

Result<std::vector<AliasAction>> read_actions(const JsonValue& root) {
  ObjectReader object(root, "");
  const JsonValue* actions = object.require("actions");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return read_list(*actions, "actions", read_action);
}

}  // namespace

Result<std::vector<AliasAction>> decode_alias_actions(std::string_view body) {
  return decode_request(body, read_actions);
}

std::string encode_aliases_reply(std::span<const Alias> aliases,
                                 double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("aliases").begin_array();
  for (const Alias& alias : aliases) {
    json.begin_object().key("alias_name").string(alias.name);
    json.key("collection_name").string(alias.collection).end_object();
  }
  json.end_array().end_object();
  return end_reply(std::move(json), seconds);
}

}  // namespace lamina::protocol
