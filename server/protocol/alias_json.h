#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lamina/result.h"

// JSON of the routes about aliases: further names of collections, which hold
// wherever a collection's name does. Kept by the server, not by the engine.
namespace lamina::protocol {

struct Alias {
  std::string name;
  std::string collection;

  bool operator==(const Alias&) const = default;
};

// Steps of one change of aliases.
struct CreateAlias {
  Alias alias;
};
struct DeleteAlias {
  std::string name;
};
struct RenameAlias {
  std::string old_name;
  std::string new_name;
};
using AliasAction = std::variant<CreateAlias, DeleteAlias, RenameAlias>;

// POST /collections/aliases
Result<std::vector<AliasAction>> decode_alias_actions(std::string_view body);

// GET /aliases, GET /collections/{c}/aliases
std::string encode_aliases_reply(std::span<const Alias> aliases,
                                 double seconds);

}  // namespace lamina::protocol
