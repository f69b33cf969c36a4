#include "catalog.h"

#include <utility>

#include "state_file.h"
#include "types/json_reader.h"
#include "types/json_writer.h"
#include "types/validate.h"

namespace lamina::server {
namespace {

using protocol::AliasAction;
using protocol::CollectionSettings;

using Aliases = std::map<std::string, std::string, std::less<>>;

constexpr std::size_t kMaxFileBytes = 256u << 20;
// Metadata may be as deep as a payload, and stands some levels down.
constexpr std::size_t kMaxDepth = kMaxJsonDepth + 16;
constexpr std::string_view kVersionText = "1";
constexpr std::size_t kMaxAliases = 10'000;

Status damaged() { return Status::data_loss("not a catalog of the server"); }

Status missing_alias(std::string_view name) {
  return Status::not_found("Alias " + std::string(name) + " does not exists!");
}

// Puts an alias in, or in the place of one of that name.
Status set_alias(const protocol::Alias& alias, Store& store, Aliases* aliases) {
  const Status valid = validate_collection_name(alias.name);
  if (!valid.ok()) return valid;
  const Status opened = store.open_collection(alias.collection).status();
  if (opened.code() == StatusCode::not_found) return opened;
  const Status taken = store.open_collection(alias.name).status();
  if (taken.code() != StatusCode::not_found) {
    return Status::already_exists("Collection `" + alias.name +
                                  "` already exists!");
  }
  if (aliases->size() >= kMaxAliases) {
    return Status::resource_exhausted("there are " +
                                      std::to_string(kMaxAliases) +
                                      " aliases, and no more are possible");
  }
  (*aliases)[alias.name] = alias.collection;
  return {};
}

struct ApplyAction {
  Store& store;
  Aliases* aliases;

  Status operator()(const protocol::CreateAlias& create) const {
    return set_alias(create.alias, store, aliases);
  }
  Status operator()(const protocol::DeleteAlias& erase) const {
    aliases->erase(erase.name);  // As in the protocol: absence is no error.
    return {};
  }
  Status operator()(const protocol::RenameAlias& rename) const {
    const auto found = aliases->find(rename.old_name);
    if (found == aliases->end()) return missing_alias(rename.old_name);
    const std::string collection = std::move(found->second);
    aliases->erase(found);
    return set_alias({rename.new_name, collection}, store, aliases);
  }
};

}  // namespace

Result<std::unique_ptr<Catalog>> Catalog::open(
    const std::filesystem::path& file) {
  Result<std::string> text = read_state_file(file, kMaxFileBytes);
  if (!text.ok()) return text.status();
  auto catalog = std::make_unique<Catalog>();
  catalog->file_ = file;
  if (text->empty()) return catalog;
  Result<Contents> contents = parse(*text);
  if (!contents.ok()) {
    return Status::data_loss(file.string() + ": " +
                             contents.status().message());
  }
  catalog->contents_ = *std::move(contents);
  return catalog;
}

Result<Catalog::Contents> Catalog::parse(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text, kMaxDepth);
  if (!document.ok()) return document.status();
  const JsonValue root = document->root();
  if (root.kind() != JsonKind::object) return damaged();
  const std::optional<JsonValue> version = root.find("version");
  if (!version || version->kind() != JsonKind::number ||
      version->number() != kVersionText) {
    return damaged();
  }
  const std::optional<JsonValue> aliases = root.find("aliases");
  const std::optional<JsonValue> settings = root.find("settings");
  if (!aliases || aliases->kind() != JsonKind::object || !settings ||
      settings->kind() != JsonKind::object) {
    return damaged();
  }
  Contents contents;
  for (const JsonValue::Member& member : aliases->members()) {
    const Result<std::string_view> name = member.value.as_string(member.key);
    if (!name.ok()) return name.status();
    contents.aliases.emplace(member.key, *name);
  }
  for (const JsonValue::Member& member : settings->members()) {
    Result<CollectionSettings> read =
        CollectionSettings::from_json(member.value);
    if (!read.ok()) return read.status();
    contents.settings.emplace(member.key, *std::move(read));
  }
  return contents;
}

std::string Catalog::to_json(const Contents& contents) {
  JsonWriter json;
  json.begin_object().key("version").raw(kVersionText);
  json.key("aliases").begin_object();
  for (const auto& [alias, collection] : contents.aliases) {
    json.key(alias).string(collection);
  }
  json.end_object().key("settings").begin_object();
  for (const auto& [collection, settings] : contents.settings) {
    json.key(collection);
    settings.write(&json);
  }
  json.end_object().end_object();
  return json.take();
}

// Under changing_, so that nobody else replaces what was looked at.
Status Catalog::replace(Contents contents) {
  if (contents == contents_) return {};
  if (!file_.empty()) {
    const Status written = replace_state_file(file_, to_json(contents));
    if (!written.ok()) return written;
  }
  const std::lock_guard lock(mutex_);
  contents_ = std::move(contents);
  return {};
}

std::optional<std::string> Catalog::find_alias(std::string_view alias) const {
  const std::lock_guard lock(mutex_);
  const auto found = contents_.aliases.find(alias);
  if (found == contents_.aliases.end()) return std::nullopt;
  return found->second;
}

std::vector<protocol::Alias> Catalog::aliases() const {
  const std::lock_guard lock(mutex_);
  std::vector<protocol::Alias> aliases;
  for (const auto& [alias, collection] : contents_.aliases) {
    aliases.push_back({alias, collection});
  }
  return aliases;
}

Status Catalog::change_aliases(std::span<const AliasAction> actions,
                               Store& store) {
  const std::lock_guard change(changing_);
  Contents changed = contents_;
  for (const AliasAction& action : actions) {
    const Status applied =
        std::visit(ApplyAction{store, &changed.aliases}, action);
    if (!applied.ok()) return applied;
  }
  return replace(std::move(changed));
}

CollectionSettings Catalog::settings(std::string_view collection) const {
  const std::lock_guard lock(mutex_);
  const auto found = contents_.settings.find(collection);
  return found == contents_.settings.end() ? CollectionSettings()
                                           : found->second;
}

Status Catalog::set_settings(std::string_view collection,
                             const CollectionSettings& settings) {
  const std::lock_guard change(changing_);
  Contents changed = contents_;
  CollectionSettings& kept = changed.settings[std::string(collection)];
  kept = {};
  kept.merge(settings);
  if (kept.empty()) changed.settings.erase(std::string(collection));
  return replace(std::move(changed));
}

Status Catalog::merge_settings(std::string_view collection,
                               const CollectionSettings& update) {
  if (update.empty()) return {};
  const std::lock_guard change(changing_);
  Contents changed = contents_;
  CollectionSettings& settings = changed.settings[std::string(collection)];
  settings.merge(update);
  if (settings.bytes() > protocol::kMaxSettingsBytes) {
    return Status::invalid_argument(
        "settings and metadata would take more than " +
        std::to_string(protocol::kMaxSettingsBytes) + " bytes");
  }
  return replace(std::move(changed));
}

Status Catalog::forget(std::string_view collection) {
  const std::lock_guard change(changing_);
  Contents changed = contents_;
  std::erase_if(changed.aliases,
                [&](const auto& entry) { return entry.second == collection; });
  const auto found = changed.settings.find(collection);
  if (found != changed.settings.end()) changed.settings.erase(found);
  return replace(std::move(changed));
}

}  // namespace lamina::server
