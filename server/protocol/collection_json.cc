#include "protocol/collection_json.h"

#include <optional>

#include "protocol/hnsw_json.h"
#include "protocol/index_type.h"
#include "protocol/message.h"
#include "types/validate.h"

namespace lamina::protocol {
namespace {

struct MetricRow {
  Metric metric;
  std::string_view distance;
};

constexpr MetricRow kMetrics[] = {{Metric::cosine, "Cosine"},
                                  {Metric::dot, "Dot"},
                                  {Metric::euclid, "Euclid"},
                                  {Metric::manhattan, "Manhattan"}};

std::string_view distance_of(Metric metric) {
  for (const MetricRow& row : kMetrics) {
    if (row.metric == metric) return row.distance;
  }
  return kMetrics[0].distance;
}

Result<Metric> metric_of(std::string_view distance, std::string_view path) {
  for (const MetricRow& row : kMetrics) {
    if (row.distance == distance) return row.metric;
  }
  return Status::invalid_argument(std::string(path) +
                                  ": unknown distance, expected one of Cosine, "
                                  "Dot, Euclid, Manhattan");
}

Result<Durability> durability_of(std::string_view word, std::string_view path) {
  for (const Durability durability : {Durability::os, Durability::fsync}) {
    if (to_string(durability) == word) return durability;
  }
  return Status::invalid_argument(std::string(path) +
                                  ": expected \"os\" or \"fsync\"");
}

// The name of each vector, as "vectors" may also be written.
bool are_named_vectors(const JsonValue& vectors) {
  if (vectors.kind() != JsonKind::object || vectors.size() == 0) return false;
  for (const JsonValue::Member& member : vectors.members()) {
    if (member.key == "size" || member.key == "distance") return false;
  }
  return true;
}

void read_dimension(ObjectReader* vectors, std::size_t* dimension) {
  vectors->require("size");
  std::uint64_t size = 0;
  vectors->read("size", &size);
  *dimension = size;
}

void read_metric(ObjectReader* vectors, Metric* metric) {
  vectors->require("distance");
  std::string distance;
  vectors->read("distance", &distance);
  if (!vectors->ok()) return;
  const Result<Metric> read = metric_of(distance, vectors->path_of("distance"));
  if (!read.ok()) return vectors->fail(read.status());
  *metric = *read;
}

void refuse_other_datatype(ObjectReader* vectors) {
  std::string datatype = "float32";
  vectors->read("datatype", &datatype);
  if (datatype == "float32") return;
  vectors->fail(unsupported(vectors->path_of("datatype"),
                            "types other than float32 yet"));
}

void check_wal_config(ObjectReader* parent) {
  const JsonValue* value = parent->find("wal_config");
  if (value == nullptr || !parent->ok()) return;
  const std::string path = parent->path_of("wal_config");
  ObjectReader wal(*value, path);
  std::uint64_t ignored = 0;
  wal.read_count("wal_capacity_mb", path + ".wal_capacity_mb", 1, &ignored);
  wal.ignore({"wal_segments_ahead", "wal_retain_closed"});
  parent->fail(wal.finish());
}

Status read_vectors(const JsonValue& value, HnswConfig* hnsw,
                    CollectionOptions* options) {
  if (are_named_vectors(value)) return unsupported("vectors", "named vectors");
  ObjectReader vectors(value, "vectors");
  read_dimension(&vectors, &options->dimension);
  read_metric(&vectors, &options->metric);
  refuse_other_datatype(&vectors);
  read_hnsw_config(&vectors, hnsw);
  vectors.refuse({"multivector_config"});
  vectors.ignore({"on_disk", "quantization_config", "memory"});
  const Status read = vectors.finish();
  return read.ok() ? validate_collection_options(*options) : read;
}

void refuse_custom_sharding(ObjectReader* object) {
  std::string method = "auto";
  object->read("sharding_method", &method);
  if (method == "auto") return;
  object->fail(unsupported("sharding_method", "sharding by the caller"));
}

void refuse_sparse_vectors(ObjectReader* object) {
  const JsonValue* sparse = object->find("sparse_vectors");
  const bool is_empty =
      sparse == nullptr ||
      (sparse->kind() == JsonKind::object && sparse->size() == 0);
  if (!is_empty) object->fail(unsupported("sparse_vectors", "sparse vectors"));
}

void read_durability(ObjectReader* object, CollectionOptions* options) {
  if (object->find("durability") == nullptr) return;
  std::string word;
  object->read("durability", &word);
  if (!object->ok()) return;
  const Result<Durability> read = durability_of(word, "durability");
  if (!read.ok()) return object->fail(read.status());
  options->durability = *read;
}

Result<CollectionOptions> read_create_collection(const JsonValue& root) {
  ObjectReader object(root, "");
  CollectionOptions options;
  HnswConfig hnsw;
  read_hnsw_config(&object, &hnsw);
  const JsonValue* vectors = object.require("vectors");
  if (vectors != nullptr) object.fail(read_vectors(*vectors, &hnsw, &options));
  std::uint64_t ignored = 1;
  for (const std::string_view name :
       {"shard_number", "replication_factor", "write_consistency_factor"}) {
    object.read_count(name, name, 1, &ignored);
  }
  check_wal_config(&object);
  refuse_custom_sharding(&object);
  refuse_sparse_vectors(&object);
  read_durability(&object, &options);
  object.ignore({"optimizers_config", "on_disk", "on_disk_payload", "payload",
                 "memory", "read_fan_out_factor", "read_fan_out_delay_ms",
                 "quantization_config", "strict_mode_config", "metadata"});
  Status read = object.finish();
  if (read.ok()) read = apply_hnsw_config(hnsw, &options);
  if (!read.ok()) return read;
  return options;
}

void write_warnings(const CollectionSettings& settings, JsonWriter* json) {
  const std::vector<std::string> warnings = settings.warnings();
  if (warnings.empty()) return;
  json->key("warnings").begin_array();
  for (const std::string& warning : warnings) {
    json->begin_object().key("message").string(warning).end_object();
  }
  json->end_array();
}

Result<std::string> read_collection_name(const JsonValue& value,
                                         std::string_view path) {
  ObjectReader object(value, std::string(path));
  std::string name;
  object.require("name");
  object.read("name", &name);
  if (!object.ok()) return object.status();
  return name;
}

Result<std::vector<std::string>> read_collection_list(const JsonValue& result) {
  ObjectReader object(result, "result");
  const JsonValue* collections = object.require("collections");
  if (collections == nullptr) return object.status();
  return read_list(*collections, "result.collections", read_collection_name);
}

// result.config.params.vectors
Status read_vector_params(ObjectReader* config, CollectionInfo* info) {
  const JsonValue* params = config->require("params");
  if (params == nullptr) return config->status();
  ObjectReader params_reader(*params, "result.config.params");
  const JsonValue* vectors = params_reader.require("vectors");
  if (vectors == nullptr) return params_reader.status();
  ObjectReader vectors_reader(*vectors, "result.config.params.vectors");
  read_dimension(&vectors_reader, &info->dimension);
  read_metric(&vectors_reader, &info->metric);
  return vectors_reader.status();
}

// A graph, when there is one, has the bounds that it was made with.
Status read_graph(ObjectReader* config, CollectionInfo* info) {
  HnswConfig hnsw;
  read_hnsw_config(config, &hnsw);
  if (!config->ok()) return config->status();
  CollectionOptions made{.dimension = info->dimension, .metric = info->metric};
  const Status applied = apply_hnsw_config(hnsw, &made);
  info->hnsw = made.hnsw;
  return applied;
}

// result.config
Status read_config(ObjectReader* result, CollectionInfo* info) {
  const JsonValue* config = result->require("config");
  if (config == nullptr) return result->status();
  ObjectReader reader(*config, "result.config");
  Status read = read_vector_params(&reader, info);
  return read.ok() ? read_graph(&reader, info) : read;
}

Result<PayloadIndexInfo> read_index_info(const JsonValue::Member& member,
                                         std::string path) {
  ObjectReader object(member.value, path);
  std::string type;
  object.require("data_type");
  object.read("data_type", &type);
  PayloadIndexInfo info{.key = std::string(member.key)};
  object.read("points", &info.point_count);
  if (!object.ok()) return object.status();
  const Result<PayloadIndexType> read =
      index_type_of(type, object.path_of("data_type"));
  if (!read.ok()) return read.status();
  info.type = *read;
  return info;
}

// result.payload_schema
Status read_payload_schema(ObjectReader* result, CollectionInfo* info) {
  const JsonValue* schema = result->find("payload_schema");
  if (schema == nullptr) return {};
  const std::string path = result->path_of("payload_schema");
  if (schema->kind() != JsonKind::object) {
    return Status::invalid_argument(path + ": expected an object, got " +
                                    std::string(schema->kind_name()));
  }
  for (const JsonValue::Member& member : schema->members()) {
    Result<PayloadIndexInfo> index =
        read_index_info(member, path + "." + std::string(member.key));
    if (!index.ok()) return index.status();
    info->payload_indexes.push_back(*std::move(index));
  }
  return {};
}

void write_payload_schema(std::span<const PayloadIndexInfo> indexes,
                          JsonWriter* json) {
  json->begin_object();
  for (const PayloadIndexInfo& index : indexes) {
    json->key(index.key).begin_object();
    json->key("data_type").string(to_string(index.type));
    json->key("points").uint64(index.point_count).end_object();
  }
  json->end_object();
}

Result<CollectionInfo> read_collection_info(const JsonValue& root) {
  ObjectReader result(root, "result");
  CollectionInfo info;
  result.read("points_count", &info.point_count);
  result.fail(read_config(&result, &info));
  if (info.hnsw) result.read("indexed_vectors_count", &info.linked_count);
  result.fail(read_payload_schema(&result, &info));
  if (!result.ok()) return result.status();
  return info;
}

Result<bool> read_bool(const JsonValue& result) {
  return result.as_bool("result");
}

}  // namespace

std::string encode_create_collection(const CollectionOptions& options) {
  JsonWriter json;
  json.begin_object().key("vectors").begin_object();
  json.key("size").uint64(options.dimension);
  json.key("distance").string(distance_of(options.metric)).end_object();
  if (options.hnsw) write_hnsw_config(*options.hnsw, &json);
  if (options.durability.has_value()) {
    json.key("durability").string(to_string(*options.durability));
  }
  json.end_object();
  return json.take();
}

Result<CollectionOptions> decode_create_collection(std::string_view body) {
  return decode_request(body, read_create_collection);
}

std::string encode_collection_list_reply(std::span<const std::string> names,
                                         double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("collections").begin_array();
  for (const std::string& name : names) {
    json.begin_object().key("name").string(name).end_object();
  }
  json.end_array().end_object();
  return end_reply(std::move(json), seconds);
}

Result<std::vector<std::string>> decode_collection_list_reply(
    std::string_view body) {
  return decode_reply(body, read_collection_list);
}

std::string encode_collection_info_reply(const CollectionInfo& info,
                                         const CollectionSettings& settings,
                                         double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object();
  json.key("status").string("green");
  json.key("optimizer_status").string("ok");
  json.key("indexed_vectors_count")
      .uint64(info.hnsw ? info.linked_count : info.point_count);
  json.key("points_count").uint64(info.point_count);
  json.key("segments_count").uint64(1);
  json.key("config").begin_object().key("params").begin_object();
  json.key("vectors").begin_object();
  json.key("size").uint64(info.dimension);
  json.key("distance").string(distance_of(info.metric)).end_object();
  settings.write_params(&json);
  json.end_object();
  write_hnsw_info(info.hnsw, info.dimension, &json);
  settings.write_config(&json);
  json.end_object();
  json.key("payload_schema");
  write_payload_schema(info.payload_indexes, &json);
  json.key("update_queue").begin_object().key("length").uint64(0).end_object();
  write_warnings(settings, &json);
  json.end_object();
  return end_reply(std::move(json), seconds);
}

Result<CollectionInfo> decode_collection_info_reply(std::string_view name,
                                                    std::string_view body) {
  Result<CollectionInfo> info = decode_reply(body, read_collection_info);
  if (info.ok()) info->name = name;
  return info;
}

std::string encode_exists_reply(bool exists, double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("exists").boolean(exists).end_object();
  return end_reply(std::move(json), seconds);
}

std::string encode_bool_reply(bool value, double seconds) {
  JsonWriter json = begin_reply();
  json.boolean(value);
  return end_reply(std::move(json), seconds);
}

Result<bool> decode_bool_reply(std::string_view body) {
  return decode_reply(body, read_bool);
}

}  // namespace lamina::protocol
