#include "protocol/collection_settings.h"

#include <optional>
#include <utility>

#include "protocol/message.h"

namespace lamina::protocol {
namespace {

constexpr std::string_view kParams = "params";
constexpr std::string_view kMetadata = "metadata";
constexpr std::string_view kQuantization = "quantization_config";
constexpr std::string_view kStrictMode = "strict_mode_config";
// The field has another name in requests than in replies.
constexpr std::string_view kOptimizersField = "optimizers_config";
constexpr std::string_view kOptimizer = "optimizer_config";
constexpr std::string_view kWal = "wal_config";

// Where a field of a request is kept: the members of an object as a section of
// their own, a value by itself among the params.
struct SectionRow {
  std::string_view field;
  std::string_view section;
};

constexpr SectionRow kSections[] = {{kOptimizersField, kOptimizer},
                                    {kWal, kWal},
                                    {kQuantization, kQuantization},
                                    {kStrictMode, kStrictMode},
                                    {kParams, kParams},
                                    {kMetadata, kMetadata}};

// An update of these changes nothing: a graph and vectors stay as they were
// made. Kept under names that write_config() does not look for.
constexpr SectionRow kFixedAtCreation[] = {{"hnsw_config", "hnsw_config diff"},
                                           {"vectors", "vectors diff"}};

constexpr std::string_view kParamFields[] = {
    "shard_number",        "replication_factor",    "write_consistency_factor",
    "read_fan_out_factor", "read_fan_out_delay_ms", "on_disk_payload"};

// What clients with strict types want to see, whether it was given or not.
struct DefaultRow {
  std::string_view section;
  std::string_view name;
  std::string_view json;
};

constexpr DefaultRow kDefaults[] = {
    {kParams, "shard_number", "1"},
    {kParams, "replication_factor", "1"},
    {kParams, "write_consistency_factor", "1"},
    {kParams, "on_disk_payload", "false"},
    {kOptimizer, "deleted_threshold", "0.2"},
    {kOptimizer, "vacuum_min_vector_number", "1000"},
    {kOptimizer, "default_segment_number", "0"},
    {kOptimizer, "max_segment_size", "null"},
    {kOptimizer, "memmap_threshold", "null"},
    {kOptimizer, "indexing_threshold", "10000"},
    {kOptimizer, "flush_interval_sec", "5"},
    {kOptimizer, "max_optimization_threads", "null"},
    {kWal, "wal_capacity_mb", "32"},
    {kWal, "wal_segments_ahead", "0"},
    {kWal, "wal_retain_closed", "1"},
};

std::optional<std::string_view> default_of(std::string_view section,
                                           std::string_view name) {
  for (const DefaultRow& row : kDefaults) {
    if (row.section == section && row.name == name) return row.json;
  }
  return std::nullopt;
}

Status expected_object(std::string_view path, const JsonValue& value) {
  return Status::invalid_argument(std::string(path) +
                                  ": expected an object, got " +
                                  std::string(value.kind_name()));
}

Status check_share(const JsonValue& share, const std::string& path) {
  const Result<float> read = share.as_float(path);
  if (!read.ok()) return read.status();
  if (*read >= 0.0f && *read <= 1.0f) return {};
  return Status::invalid_field(path, "value " + std::string(share.number()) +
                                         " invalid, must be from 0.0 to 1.0");
}

}  // namespace

Status CollectionSettings::take_section(std::string_view name,
                                        std::string_view field,
                                        const JsonValue& value) {
  // "Disabled" is how an update ends a quantization.
  if (value.kind() == JsonKind::string && name == kQuantization) return {};
  if (value.kind() != JsonKind::object) return expected_object(field, value);
  Section& section = sections_[std::string(name)];
  for (const JsonValue::Member& member : value.members()) {
    if (name == kOptimizer && member.key == "deleted_threshold" &&
        !member.value.is_null()) {
      const Status checked =
          check_share(member.value, std::string(field) + ".deleted_threshold");
      if (!checked.ok()) return checked;
    }
    section[std::string(member.key)] = member.value.compact_text();
  }
  if (bytes() <= kMaxSettingsBytes) return {};
  return Status::invalid_argument(std::string(field) +
                                  ": settings and metadata take more than " +
                                  std::to_string(kMaxSettingsBytes) + " bytes");
}

Result<CollectionSettings> CollectionSettings::from_create(
    std::string_view body) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok()) return document.status();
  ObjectReader object(document->root(), "");
  CollectionSettings settings;
  for (const SectionRow& row : kSections) {
    const JsonValue* value = object.find(row.field);
    if (value == nullptr) continue;
    object.fail(settings.take_section(row.section, row.field, *value));
  }
  for (const std::string_view field : kParamFields) {
    const JsonValue* value = object.find(field);
    if (value == nullptr) continue;
    settings.sections_[std::string(kParams)][std::string(field)] =
        value->compact_text();
  }
  if (!object.ok()) return object.status();
  return settings;
}

Result<CollectionSettings> CollectionSettings::from_update(
    std::string_view body) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok()) return document.status();
  ObjectReader object(document->root(), "");
  CollectionSettings settings;
  for (const SectionRow& row : kSections) {
    const JsonValue* value = object.find(row.field);
    if (value == nullptr) continue;
    object.fail(settings.take_section(row.section, row.field, *value));
  }
  for (const SectionRow& row : kFixedAtCreation) {
    const JsonValue* value = object.find(row.field);
    if (value == nullptr) continue;
    object.fail(settings.take_section(row.section, row.field, *value));
  }
  if (object.find("sparse_vectors") != nullptr) {
    object.fail(unsupported("sparse_vectors", "sparse vectors"));
  }
  const Status read = object.finish();
  if (!read.ok()) return read;
  return settings;
}

Result<CollectionSettings> CollectionSettings::from_json(
    const JsonValue& value) {
  if (value.kind() != JsonKind::object) return expected_object("", value);
  CollectionSettings settings;
  for (const JsonValue::Member& section : value.members()) {
    if (section.value.kind() != JsonKind::object) {
      return expected_object(section.key, section.value);
    }
    Section& kept = settings.sections_[std::string(section.key)];
    for (const JsonValue::Member& member : section.value.members()) {
      kept[std::string(member.key)] = member.value.compact_text();
    }
  }
  return settings;
}

void CollectionSettings::write(JsonWriter* json) const {
  json->begin_object();
  for (const auto& [name, section] : sections_) {
    json->key(name).begin_object();
    for (const auto& [key, value] : section) json->key(key).raw(value);
    json->end_object();
  }
  json->end_object();
}

void CollectionSettings::merge(const CollectionSettings& update) {
  for (const auto& [name, changes] : update.sections_) {
    Section& section = sections_[name];
    for (const auto& [key, value] : changes) {
      if (value == "null") {
        section.erase(key);
      } else {
        section[key] = value;
      }
    }
  }
}

std::size_t CollectionSettings::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [name, section] : sections_) {
    bytes += name.size();
    for (const auto& [key, value] : section) bytes += key.size() + value.size();
  }
  return bytes;
}

std::vector<std::string> CollectionSettings::warnings() const {
  std::vector<std::string> warnings;
  for (const auto& [name, section] : sections_) {
    if (name == kMetadata || section.empty()) continue;
    if (name == kQuantization || name == kStrictMode) {
      warnings.push_back(name + " is kept, but has no effect");
      continue;
    }
    for (const auto& [key, value] : section) {
      if (value == default_of(name, key).value_or("null")) continue;
      warnings.push_back(name + "." + key + " is kept, but has no effect");
    }
  }
  return warnings;
}

std::string CollectionSettings::refused_when_strict() const {
  for (const std::string_view name : {kQuantization, kStrictMode}) {
    const auto found = sections_.find(name);
    if (found != sections_.end() && !found->second.empty()) {
      return std::string(name);
    }
  }
  return {};
}

const std::string* CollectionSettings::find(std::string_view section,
                                            std::string_view name) const {
  const auto found = sections_.find(section);
  if (found == sections_.end()) return nullptr;
  const auto value = found->second.find(name);
  return value == found->second.end() ? nullptr : &value->second;
}

// The defaults in their order, then what else was given.
void CollectionSettings::write_section(std::string_view section,
                                       JsonWriter* json) const {
  for (const DefaultRow& row : kDefaults) {
    if (row.section != section) continue;
    const std::string* given = find(section, row.name);
    json->key(row.name).raw(given != nullptr ? *given : row.json);
  }
  const auto found = sections_.find(section);
  if (found == sections_.end()) return;
  for (const auto& [name, value] : found->second) {
    if (!default_of(section, name).has_value()) json->key(name).raw(value);
  }
}

void CollectionSettings::write_params(JsonWriter* json) const {
  write_section(kParams, json);
}

void CollectionSettings::write_config(JsonWriter* json) const {
  for (const std::string_view section : {kOptimizer, kWal}) {
    json->key(section).begin_object();
    write_section(section, json);
    json->end_object();
  }
  for (const std::string_view section :
       {kQuantization, kStrictMode, kMetadata}) {
    const auto found = sections_.find(section);
    if (found != sections_.end() && !found->second.empty()) {
      json->key(section).begin_object();
      write_section(section, json);
      json->end_object();
    } else if (section == kQuantization) {
      json->key(section).null();
    }
  }
}

}  // namespace lamina::protocol
