#include <array>

#include "fuzz/round_trip.h"
#include "fuzz/targets.h"
#include "protocol/alias_json.h"
#include "protocol/collection_json.h"
#include "protocol/collection_settings.h"
#include "types/json_reader.h"
#include "types/validate.h"

namespace lamina::fuzz {
namespace {

using protocol::CollectionSettings;

void read_create(std::string_view body) {
  check_round_trip(
      protocol::decode_create_collection,
      [](const CollectionOptions& options) {
        return validate_collection_options(options).ok()
                   ? protocol::encode_create_collection(options)
                   : R"({"vectors":{"size":1,"distance":"Dot"}})";
      },
      body);
}

void check_settings(const CollectionSettings& settings) {
  check(settings.bytes() <= protocol::kMaxSettingsBytes,
        "settings are within their limit");
  JsonWriter json;
  settings.write(&json);
  const Result<JsonDocument> document = JsonDocument::parse(json.text());
  check(document.ok(), "settings are written as JSON");
  const auto again = CollectionSettings::from_json(document->root());
  check(again.ok() && *again == settings, "settings read back");
  const std::string shown = protocol::encode_collection_info_reply(
      {.name = "a", .dimension = 1, .hnsw = {}}, settings, 0.0);
  check(protocol::decode_collection_info_reply("a", shown).ok(),
        "a collection with any settings can be shown");
  CollectionSettings merged = settings;
  merged.merge(settings);
  const CollectionSettings once = merged;
  merged.merge(settings);
  check(merged == once, "an update done twice is the same");
}

void read_settings(std::string_view body) {
  const auto settings = CollectionSettings::from_create(body);
  if (settings.ok()) check_settings(*settings);
}

void read_update(std::string_view body) {
  const auto update = CollectionSettings::from_update(body);
  if (!update.ok()) return;
  CollectionSettings settings;
  settings.merge(*update);
  check_settings(settings);
}

void read_aliases(std::string_view body) {
  const auto actions = protocol::decode_alias_actions(body);
  if (!actions.ok()) check(!actions.status().message().empty(), "it says why");
}

constexpr std::array kReaders = {read_create, read_settings, read_update,
                                 read_aliases};

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kReaders.size();
  kReaders[choice](input);
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const std::string_view size : {"384", "0", "-1", "1.5", "65537",
                                      "4294967296", "4611686018427387904"}) {
    seeds.push_back(with_choice(0, R"({"vectors":{"size":)" +
                                       std::string(size) +
                                       R"(,"distance":"Cosine"}})"));
  }
  constexpr std::string_view kCreate =
      R"({"vectors":{"size":4,"distance":"Euclid","on_disk":true,"hnsw_config":{"m":8}},"hnsw_config":{"m":16,"ef_construct":100,"full_scan_threshold":10000},"wal_config":{"wal_capacity_mb":32},"optimizers_config":{"deleted_threshold":0.2},"quantization_config":{"scalar":{"type":"int8"}},"strict_mode_config":{"enabled":false},"metadata":{"a":[1,null]},"durability":"fsync","shard_number":1})";
  seeds.push_back(with_choice(0, kCreate));
  seeds.push_back(with_choice(1, kCreate));
  seeds.push_back(with_choice(
      2,
      R"({"optimizers_config":{"max_segment_size":1},"metadata":{"a":null,"b":{}},"params":{"replication_factor":1},"hnsw_config":{"m":0}})"));
  seeds.push_back(with_choice(
      3,
      R"({"actions":[{"create_alias":{"collection_name":"c","alias_name":"a"}},{"delete_alias":{"alias_name":"a"}},{"rename_alias":{"old_alias_name":"a","new_alias_name":"b"}}]})"));
  return seeds;
}

}  // namespace

Target collections_target() {
  return {
      .name = "collections",
      .what =
          "JSON bodies about collections, their settings and aliases. "
          "What is read is written and read back as the same; any "
          "settings that are kept can be shown.",
      .run = run,
      .seeds = seeds,
      .words = {"\"vectors\":{", "\"size\":", "\"distance\":\"Manhattan\"",
                "\"hnsw_config\":{", "\"m\":", "\"ef_construct\":",
                "\"metadata\":{", "\"optimizers_config\":{", "\"wal_config\":{",
                "\"strict_mode_config\":{", "\"quantization_config\":null",
                "\"durability\":\"os\"", "\"params\":{", "\"actions\":[",
                "\"create_alias\":{", "\"alias_name\":", "null", "4294967296"}};
}

}  // namespace lamina::fuzz
