#include "care.h"
#include "commands.h"
#include "output.h"
#include "storage/file.h"

namespace lamina::tool {
namespace {

bool is_whole(const SalvagedCollection& salvaged) {
  return salvaged.status.ok() && salvaged.losses.empty();
}

Status print_text(const SalvagedCollection& salvaged) {
  const std::string name =
      salvaged.name.empty() ? salvaged.folder : salvaged.name;
  if (!salvaged.status.ok()) {
    return print_line(name + ": lost: " + salvaged.status.message());
  }
  Status printed = print_line(name + ": " + with_commas(salvaged.point_count) +
                              " points saved from " +
                              with_commas(salvaged.records_read) + " records");
  for (const std::string& loss : salvaged.losses) {
    if (printed.ok()) printed = print_line("  lost: " + loss);
  }
  return printed;
}

void write_json(const SalvagedCollection& salvaged, JsonWriter* json) {
  json->begin_object().key("folder").string(salvaged.folder);
  json->key("name").string(salvaged.name);
  json->key("saved").boolean(salvaged.status.ok());
  if (!salvaged.status.ok()) {
    json->key("error").string(salvaged.status.message());
  }
  json->key("points").uint64(salvaged.point_count);
  json->key("records_read").uint64(salvaged.records_read);
  json->key("records_refused").uint64(salvaged.records_refused);
  json->key("damaged_bytes").uint64(salvaged.damaged_bytes);
  json->key("losses").begin_array();
  for (const std::string& loss : salvaged.losses) json->string(loss);
  json->end_array().end_object();
}

Status print(const Common& common,
             const std::vector<SalvagedCollection>& collections) {
  if (common.json) {
    JsonWriter json;
    json.begin_object().key("collections").begin_array();
    for (const auto& salvaged : collections) write_json(salvaged, &json);
    return print_line(json.end_array().end_object().take());
  }
  for (const SalvagedCollection& salvaged : collections) {
    const Status printed = print_text(salvaged);
    if (!printed.ok()) return printed;
  }
  return {};
}

std::filesystem::path beside(const std::filesystem::path& directory,
                             std::string_view suffix) {
  std::filesystem::path path = directory;
  if (path.filename().empty()) path = path.parent_path();
  return path += suffix;
}

// The old one first, so that at no moment both are in one place.
Status exchange(const std::filesystem::path& old_one,
                const std::filesystem::path& new_one) {
  const std::filesystem::path kept = beside(old_one, ".damaged");
  Status status = storage::rename_path(old_one, kept);
  if (status.ok()) status = storage::rename_path(new_one, old_one);
  return status;
}

}  // namespace

Status repair(const Common& common, const RepairArguments& arguments) {
  const std::filesystem::path to =
      arguments.in_place ? beside(common.directory, ".repaired") : arguments.to;
  if (arguments.in_place) {
    const std::filesystem::path kept = beside(common.directory, ".damaged");
    std::error_code error;
    if (std::filesystem::exists(kept, error) || error) {
      return Status::already_exists(kept.string() + " is there already");
    }
  }
  const auto collections = salvage_database(common.directory, to);
  if (!collections.ok()) return collections.status();
  Status done = print(common, *collections);
  if (done.ok() && arguments.in_place) done = exchange(common.directory, to);
  if (!done.ok()) return done;
  for (const SalvagedCollection& salvaged : *collections) {
    if (!is_whole(salvaged)) return Status::data_loss("not all was saved");
  }
  return {};
}

}  // namespace lamina::tool
