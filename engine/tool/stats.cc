#include <algorithm>
#include <system_error>

#include "commands.h"
#include "output.h"
#include "session.h"
#include "types/validate.h"

namespace lamina::tool {
namespace {

// What opening found, and what a collection that could be opened says itself.
struct Entry {
  CollectionRecovery recovery;
  CollectionInfo info;
};

Result<std::vector<Entry>> read_entries(Database& database,
                                        const StatsArguments& arguments) {
  std::vector<Entry> entries;
  for (const CollectionRecovery& recovery : database.recovery()) {
    if (arguments.collection && recovery.name != *arguments.collection) {
      continue;
    }
    Entry& entry = entries.emplace_back(Entry{recovery, {}});
    if (!recovery.status.ok()) continue;
    const auto collection = database.open_collection(recovery.name);
    if (!collection.ok()) return collection.status();
    Result<CollectionInfo> info = (*collection)->info();
    if (!info.ok()) return info.status();
    entry.info = *std::move(info);
  }
  if (arguments.collection && entries.empty()) {
    return missing_collection(*arguments.collection);
  }
  return entries;
}

// Of all files below; one that goes meanwhile counts as nothing.
std::uint64_t directory_bytes(const std::filesystem::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(directory, error);
  for (; !error && at != std::filesystem::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) {
      const std::uintmax_t size = at->file_size(ignored);
      if (!ignored) bytes += size;
    }
  }
  return bytes;
}

std::string json_of(const Common& common, const std::vector<Entry>& entries) {
  JsonWriter json;
  json.begin_object().key("directory").string(common.directory.string());
  json.key("bytes").uint64(directory_bytes(common.directory));
  json.key("collections").begin_array();
  for (const Entry& entry : entries) {
    json.begin_object();
    if (entry.recovery.status.ok()) {
      write_info(entry.info, &json);
    } else {
      json.key("name").string(entry.recovery.name);
    }
    json.key("status").string(entry.recovery.status.to_string());
    json.key("replayed_writes").uint64(entry.recovery.replayed_writes);
    json.key("torn_bytes").uint64(entry.recovery.torn_bytes).end_object();
  }
  return json.end_array().end_object().take();
}

std::string line_of(const Entry& entry) {
  const std::string& name = entry.recovery.name;
  if (!entry.recovery.status.ok()) {
    return name + ": damaged, " + entry.recovery.status.to_string();
  }
  return name + ": " + with_commas(entry.info.point_count) + " points, " +
         describe(entry.info);
}

}  // namespace

Status stats(const Common& common, const StatsArguments& arguments) {
  const Result<std::unique_ptr<Database>> database = open_database(common);
  if (!database.ok()) return database.status();
  const Result<std::vector<Entry>> entries =
      read_entries(**database, arguments);
  if (!entries.ok()) return entries.status();
  if (common.json) return print_line(json_of(common, *entries));
  Status printed = print_line(common.directory.string() + ": " +
                              with_commas(directory_bytes(common.directory)) +
                              " bytes on disk");
  for (const Entry& entry : *entries) {
    if (!printed.ok()) return printed;
    printed = print_line(line_of(entry));
  }
  return printed;
}

}  // namespace lamina::tool
