#pragma once

#include <memory>
#include <string_view>

#include "commands.h"
#include "lamina/database.h"

namespace lamina::tool {

// An open database; tells on stderr what opening it repaired or found damaged.
//   not_found: no such directory, unless it may be made.
Result<std::unique_ptr<Database>> open_database(const Common& common,
                                                bool create_if_missing = false);

// A collection and the database it lives in.
struct Session {
  std::unique_ptr<Database> database;
  std::shared_ptr<Collection> collection;
};

Result<Session> open_session(const Common& common, std::string_view collection);

}  // namespace lamina::tool
