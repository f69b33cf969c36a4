#include "protocol/hnsw_json.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "types/validate.h"

namespace lamina::protocol {
namespace {

constexpr std::string_view kField = "hnsw_config";
constexpr std::uint64_t kKilobyte = 1024;
constexpr std::uint64_t kMinKilobytes = 10;
// More than any machine holds; products with it do not overflow.
constexpr std::uint64_t kManyPoints = std::uint64_t{1} << 40;

void read_optional(ObjectReader* object, std::string_view name,
                   std::uint64_t min, std::optional<std::uint64_t>* value) {
  if (object->find(name) == nullptr) return;
  std::uint64_t count = min;
  object->read_count(name, object->path_of(name), min, &count);
  *value = count;
}

// Larger values are out of every range, and stay so.
std::uint32_t narrowed(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(
      value, std::numeric_limits<std::uint32_t>::max()));
}

std::uint64_t bytes_of_vector(std::size_t dimension) {
  return dimension * sizeof(float);
}

std::uint64_t points_of(std::uint64_t kilobytes, std::size_t dimension) {
  return std::min(kilobytes, kManyPoints) * kKilobyte /
         bytes_of_vector(dimension);
}

// Rounded up.
std::uint64_t kilobytes_of(std::uint64_t points, std::size_t dimension) {
  const std::uint64_t bytes =
      std::min(points, kManyPoints) * bytes_of_vector(dimension);
  return std::max((bytes + kKilobyte - 1) / kKilobyte, kMinKilobytes);
}

// The same words, with the field as JSON calls it.
Status renamed(const Status& status) {
  const std::string_view field = status.field();
  if (!field.starts_with("hnsw")) return status;
  return Status::invalid_field(
      std::string(kField) + std::string(field.substr(4)), status.message());
}

}  // namespace

void read_hnsw_config(ObjectReader* parent, HnswConfig* config) {
  const JsonValue* value = parent->find(kField);
  if (value == nullptr || !parent->ok()) return;
  ObjectReader hnsw(*value, parent->path_of(kField));
  read_optional(&hnsw, "m", 0, &config->m);
  read_optional(&hnsw, "ef_construct", kMinHnswEf, &config->ef_construct);
  read_optional(&hnsw, "full_scan_threshold", kMinKilobytes,
                &config->full_scan_threshold);
  if (hnsw.find("full_scan_points") != nullptr) {
    hnsw.read("full_scan_points", &config->full_scan_points.emplace());
  }
  hnsw.ignore({"max_indexing_threads", "on_disk", "payload_m", "memory",
               "inline_storage"});
  parent->fail(hnsw.finish());
}

Status apply_hnsw_config(const HnswConfig& config, CollectionOptions* options) {
  if (config.m.value_or(0) == 0) return {};
  Status valid = validate_collection_options(*options);
  if (!valid.ok()) return valid;  // A dimension of 0, to divide by.
  HnswOptions hnsw;
  hnsw.m = narrowed(*config.m);
  if (config.ef_construct) hnsw.ef_construct = narrowed(*config.ef_construct);
  if (config.full_scan_threshold) {
    hnsw.full_scan_threshold =
        points_of(*config.full_scan_threshold, options->dimension);
  }
  if (config.full_scan_points) {
    hnsw.full_scan_threshold = *config.full_scan_points;
  }
  options->hnsw = hnsw;
  return renamed(validate_collection_options(*options));
}

void write_hnsw_config(const HnswOptions& options, JsonWriter* json) {
  json->key(kField).begin_object();
  json->key("m").uint64(options.m);
  json->key("ef_construct").uint64(options.ef_construct);
  json->key("full_scan_points").uint64(options.full_scan_threshold);
  json->end_object();
}

void write_hnsw_info(const std::optional<HnswOptions>& options,
                     std::size_t dimension, JsonWriter* json) {
  const HnswOptions shown = options.value_or(HnswOptions{});
  json->key(kField).begin_object();
  json->key("m").uint64(options ? shown.m : 0);
  json->key("ef_construct").uint64(shown.ef_construct);
  json->key("full_scan_threshold")
      .uint64(kilobytes_of(shown.full_scan_threshold, dimension));
  if (options) {
    json->key("full_scan_points").uint64(shown.full_scan_threshold);
  }
  json->key("max_indexing_threads").uint64(0);
  json->key("on_disk").boolean(false).end_object();
}

}  // namespace lamina::protocol
