#include "session.h"

#include <cstdio>
#include <utility>

namespace lamina::tool {
namespace {

void report_recovery(const Database& database) {
  for (const CollectionRecovery& found : database.recovery()) {
    if (!found.status.ok()) {
      std::fprintf(stderr, "collection '%s' is damaged: %s\n",
                   found.name.c_str(), found.status.to_string().c_str());
    } else if (found.torn_bytes > 0) {
      std::fprintf(stderr,
                   "collection '%s': %llu bytes of an unfinished write were "
                   "cut off\n",
                   found.name.c_str(),
                   static_cast<unsigned long long>(found.torn_bytes));
    }
  }
}

}  // namespace

Result<std::unique_ptr<Database>> open_database(const Common& common,
                                                bool create_if_missing) {
  DatabaseOptions options;
  options.create_if_missing = create_if_missing;
  Result<std::unique_ptr<Database>> database =
      Database::open(common.directory, options);
  if (database.ok()) report_recovery(**database);
  return database;
}

Result<Session> open_session(const Common& common,
                             std::string_view collection) {
  Result<std::unique_ptr<Database>> database = open_database(common);
  if (!database.ok()) return database.status();
  Result<std::shared_ptr<Collection>> opened =
      (*database)->open_collection(collection);
  if (!opened.ok()) return opened.status();
  return Session{*std::move(database), *std::move(opened)};
}

}  // namespace lamina::tool
