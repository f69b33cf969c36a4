#include "care.h"
#include "commands.h"
#include "output.h"

namespace lamina::tool {
namespace {

std::string text_of(const CheckedCollection& checked) {
  const std::string name = checked.name.empty()
                               ? checked.folder
                               : checked.name + " (" + checked.folder + ")";
  if (!checked.status.ok()) {
    return name + ": damaged: " + checked.status.message();
  }
  std::string text = name + ": good, " + with_commas(checked.point_count) +
                     " points, " + with_commas(checked.found.replayed_records) +
                     " writes in the log";
  if (checked.found.torn_bytes > 0) {
    text += "; a crash left " + with_commas(checked.found.torn_bytes) +
            " bytes unfinished, which opening cuts off, " +
            with_commas(checked.found.torn_records) +
            " whole writes among them";
  }
  return text;
}

void write_json(const CheckedCollection& checked, JsonWriter* json) {
  json->begin_object().key("folder").string(checked.folder);
  json->key("name").string(checked.name);
  json->key("good").boolean(checked.status.ok());
  if (!checked.status.ok()) {
    json->key("error").string(checked.status.message());
  }
  json->key("points").uint64(checked.point_count);
  json->key("writes_in_log").uint64(checked.found.replayed_records);
  json->key("torn_bytes").uint64(checked.found.torn_bytes);
  json->key("torn_writes").uint64(checked.found.torn_records).end_object();
}

Status print(const Common& common,
             const std::vector<CheckedCollection>& collections) {
  if (common.json) {
    JsonWriter json;
    json.begin_object().key("collections").begin_array();
    for (const auto& checked : collections) write_json(checked, &json);
    return print_line(json.end_array().end_object().take());
  }
  for (const CheckedCollection& checked : collections) {
    const Status printed = print_line(text_of(checked));
    if (!printed.ok()) return printed;
  }
  return {};
}

}  // namespace

Status check(const Common& common) {
  const auto collections = check_database(common.directory);
  if (!collections.ok()) return collections.status();
  const Status printed = print(common, *collections);
  if (!printed.ok()) return printed;
  std::size_t damaged = 0;
  for (const CheckedCollection& checked : *collections) {
    damaged += checked.status.ok() ? 0 : 1;
  }
  if (damaged == 0) return {};
  return Status::data_loss(std::to_string(damaged) + " of " +
                           std::to_string(collections->size()) +
                           " collections are damaged; `lamina repair` saves "
                           "what can be saved");
}

}  // namespace lamina::tool
