#include "protocol/query_json.h"

#include <algorithm>
#include <cassert>

#include "protocol/message.h"
#include "protocol/point_fields.h"
#include "protocol/selector_json.h"

namespace lamina::protocol {
namespace {

// A UUID takes at most so many characters; a longer string is a vector.
constexpr std::size_t kMaxUuidBytes = 47;

bool names_point(const JsonValue& value) {
  return value.kind() == JsonKind::number ||
         (value.kind() == JsonKind::string &&
          value.string().size() <= kMaxUuidBytes);
}

// A vector, or the id of a point whose vector to take.
Status read_target(const JsonValue& value, std::string_view path,
                   QueryRequest* request) {
  if (names_point(value)) {
    const Result<PointId> id = value.as_point_id(path);
    if (!id.ok()) return id.status();
    request->id = *id;
    return {};
  }
  request->has_vector = true;
  return read_vector(value, path, &request->vector);
}

// A target, or {"nearest": target}. Other objects mean other searches.
Status read_query_field(const JsonValue& value, const std::string& path,
                        QueryRequest* request) {
  if (value.kind() != JsonKind::object || value.size() == 0) {
    return read_target(value, path, request);
  }
  const std::string key(value.members().front().key);
  if (key == "indices" || key == "values") {
    return unsupported(path, "sparse vectors");
  }
  if (key == "f32") return read_target(value, path, request);
  ObjectReader object(value, path);
  const JsonValue* nearest = object.find("nearest");
  if (nearest == nullptr) {
    return unsupported(path, "`" + key.substr(0, 64) + "` yet");
  }
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return read_target(*nearest, object.path_of("nearest"), request);
}

// How wide a graph is searched, or that it is not. More than the widest search
// that there is means that one.
void read_params(ObjectReader* object, QueryOptions* options) {
  const JsonValue* value = object->find("params");
  if (value == nullptr || !object->ok()) return;
  ObjectReader params(*value, object->path_of("params"));
  std::uint64_t hnsw_ef = 1;
  params.read_count("hnsw_ef", "internal.params.hnsw_ef", 1, &hnsw_ef);
  if (params.find("hnsw_ef") != nullptr) {
    options->hnsw_ef = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(hnsw_ef, kMaxHnswEf));
  }
  params.read("exact", &options->exact);
  bool ignored = false;  // Points that are not linked cost little to score.
  params.read("indexed_only", &ignored);
  params.ignore({"quantization", "acorn"});
  object->fail(params.finish());
}

// "using" names a vector; the only one that there is has the name "".
void refuse_named_vector(ObjectReader* object) {
  std::string name;
  object->read("using", &name);
  if (!name.empty()) {
    object->fail(unsupported(object->path_of("using"), "named vectors"));
  }
}

// An empty "prefetch" asks for nothing.
void refuse_prefetch(ObjectReader* object) {
  const JsonValue* value = object->find("prefetch");
  if (value == nullptr) return;
  if (value->kind() == JsonKind::array && value->size() == 0) return;
  object->fail(unsupported(object->path_of("prefetch"), "`prefetch` yet"));
}

// What queries and searches have beside the vector.
void read_options(ObjectReader* object, QueryRequest* request) {
  QueryOptions& options = request->options;
  object->read_count("limit", "top_k", 1, &options.top_k);
  object->read_count("offset", "offset", 0, &options.offset);
  object->read("score_threshold", &options.score_threshold);
  read_with_payload(object, &request->payload);
  read_with_vector(object, &options.with_vector);
  read_params(object, &options);
  read_filter_field(object, &options.filter);
  object->ignore({"shard_key"});
  options.with_payload = request->payload.enabled;
}

Result<QueryRequest> read_query_at(const JsonValue& value,
                                   std::string_view path) {
  ObjectReader object(value, std::string(path));
  QueryRequest request;
  if (const JsonValue* query = object.find("query"); query != nullptr) {
    object.fail(read_query_field(*query, object.path_of("query"), &request));
  }
  read_options(&object, &request);
  refuse_named_vector(&object);
  refuse_prefetch(&object);
  object.refuse({"lookup_from"});
  const Status read = object.finish();
  if (!read.ok()) return read;

  const bool has_query = request.by_vector() || request.id.has_value();
  if (request.options.score_threshold.has_value() && !has_query) {
    return Status::invalid_argument(
        "A query is needed to use the score_threshold. Can't have "
        "score_threshold without defining a query.");
  }
  return request;
}

// A vector, or {"name": "", "vector": vector}.
Status read_search_vector(const JsonValue& value, const std::string& path,
                          QueryRequest* request) {
  request->has_vector = true;
  if (value.kind() != JsonKind::object || !value.find("name").has_value()) {
    return read_vector(value, path, &request->vector);
  }
  ObjectReader object(value, path);
  std::string name;
  object.read("name", &name);
  if (!name.empty()) object.fail(no_vector_named(name));
  const JsonValue* vector = object.require("vector");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return read_vector(*vector, object.path_of("vector"), &request->vector);
}

Result<QueryRequest> read_search_at(const JsonValue& value,
                                    std::string_view path) {
  ObjectReader object(value, std::string(path));
  QueryRequest request;
  const JsonValue* vector = object.require("vector");
  if (vector != nullptr) {
    object.fail(
        read_search_vector(*vector, object.path_of("vector"), &request));
  }
  // "top" is what "limit" was called; one of the two must be there.
  object.read_count("top", "top_k", 1, &request.options.top_k);
  if (object.find("top") == nullptr) object.require("limit");
  read_options(&object, &request);
  const Status read = object.finish();
  if (!read.ok()) return read;
  return request;
}

Result<QueryRequest> read_search(const JsonValue& root) {
  return read_search_at(root, "");
}

Result<std::vector<QueryRequest>> read_search_batch(const JsonValue& root) {
  ObjectReader object(root, "");
  const JsonValue* searches = object.require("searches");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return read_list(*searches, "searches", read_search_at);
}

Result<QueryRequest> read_query(const JsonValue& root) {
  return read_query_at(root, "");
}

Result<std::vector<QueryRequest>> read_query_batch(const JsonValue& root) {
  ObjectReader object(root, "");
  const JsonValue* searches = object.require("searches");
  const Status shape = object.finish();
  if (!shape.ok()) return shape;
  return read_list(*searches, "searches", read_query_at);
}

void write_params(const QueryOptions& options, JsonWriter* json) {
  if (!options.exact && !options.hnsw_ef) return;
  json->key("params").begin_object();
  if (options.hnsw_ef) json->key("hnsw_ef").uint64(*options.hnsw_ef);
  if (options.exact) json->key("exact").boolean(true);
  json->end_object();
}

// All of a query object behind "query".
void write_options(const QueryOptions& options, JsonWriter* json) {
  json->key("limit").uint64(options.top_k);
  if (options.offset > 0) json->key("offset").uint64(options.offset);
  if (options.score_threshold.has_value()) {
    json->key("score_threshold").float32(*options.score_threshold);
  }
  write_params(options, json);
  write_filter_field(options.filter, json);
  json->key("with_payload").boolean(options.with_payload);
  json->key("with_vector").boolean(options.with_vector);
}

void write_query(VectorView vector, const QueryOptions& options,
                 JsonWriter* json) {
  json->begin_object().key("query").vector(vector);
  write_options(options, json);
  json->end_object();
}

void write_hit_list(std::span<const Hit> hits, const PayloadSelector& payload,
                    JsonWriter* json) {
  json->begin_array();
  for (const Hit& hit : hits) {
    json->begin_object().key("id").point_id(hit.id);
    json->key("version").uint64(hit.version);
    json->key("score").float32(hit.score);
    write_parts(hit.vector, hit.payload, payload, json);
    json->end_object();
  }
  json->end_array();
}

void write_hits(std::span<const Hit> hits, const PayloadSelector& payload,
                JsonWriter* json) {
  json->begin_object().key("points");
  write_hit_list(hits, payload, json);
  json->end_object();
}

Result<Hit> read_hit(const JsonValue& value, std::string_view path) {
  ObjectReader object(value, std::string(path));
  const JsonValue* id = object.require("id");
  const JsonValue* score = object.require("score");
  if (!object.ok()) return object.status();
  const Result<PointId> read_id = id->as_point_id(object.path_of("id"));
  if (!read_id.ok()) return read_id.status();
  const Result<float> read_score = score->as_float(object.path_of("score"));
  if (!read_score.ok()) return read_score.status();

  Hit hit;
  hit.id = *read_id;
  hit.score = *read_score;
  object.read("version", &hit.version);
  read_parts(&object, &hit.vector, &hit.payload);
  if (!object.ok()) return object.status();
  return hit;
}

Result<std::vector<Hit>> read_hits_at(const JsonValue& value,
                                      std::string_view path) {
  ObjectReader object(value, std::string(path));
  const JsonValue* points = object.require("points");
  if (points == nullptr) return object.status();
  return read_list(*points, object.path_of("points"), read_hit);
}

Result<std::vector<Hit>> read_hits(const JsonValue& result) {
  return read_hits_at(result, "result");
}

Result<std::vector<std::vector<Hit>>> read_hits_batch(const JsonValue& result) {
  return read_list(result, "result", read_hits_at);
}

}  // namespace

std::string encode_query(VectorView vector, const QueryOptions& options) {
  JsonWriter json;
  write_query(vector, options, &json);
  return json.take();
}

std::string encode_query_by_id(const PointId& id, const QueryOptions& options) {
  JsonWriter json;
  json.begin_object().key("query").point_id(id);
  write_options(options, &json);
  json.end_object();
  return json.take();
}

Result<QueryRequest> decode_query(std::string_view body) {
  return decode_request(body, read_query);
}

std::string encode_hits_reply(std::span<const Hit> hits,
                              const PayloadSelector& payload, double seconds) {
  JsonWriter json = begin_reply();
  write_hits(hits, payload, &json);
  return end_reply(std::move(json), seconds);
}

Result<std::vector<Hit>> decode_hits_reply(std::string_view body) {
  return decode_reply(body, read_hits);
}

std::string encode_query_batch(std::span<const VectorView> vectors,
                               const QueryOptions& options) {
  JsonWriter json;
  json.begin_object().key("searches").begin_array();
  for (const VectorView vector : vectors) write_query(vector, options, &json);
  json.end_array().end_object();
  return json.take();
}

Result<std::vector<QueryRequest>> decode_query_batch(std::string_view body) {
  return decode_request(body, read_query_batch);
}

std::string encode_hits_batch_reply(std::span<const std::vector<Hit>> lists,
                                    std::span<const QueryRequest> requests,
                                    double seconds) {
  assert(lists.size() == requests.size());
  JsonWriter json = begin_reply();
  json.begin_array();
  for (std::size_t i = 0; i < lists.size(); ++i) {
    write_hits(lists[i], requests[i].payload, &json);
  }
  json.end_array();
  return end_reply(std::move(json), seconds);
}

Result<std::vector<std::vector<Hit>>> decode_hits_batch_reply(
    std::string_view body) {
  return decode_reply(body, read_hits_batch);
}

Result<QueryRequest> decode_search(std::string_view body) {
  return decode_request(body, read_search);
}

std::string encode_search_reply(std::span<const Hit> hits,
                                const PayloadSelector& payload,
                                double seconds) {
  JsonWriter json = begin_reply();
  write_hit_list(hits, payload, &json);
  return end_reply(std::move(json), seconds);
}

Result<std::vector<QueryRequest>> decode_search_batch(std::string_view body) {
  return decode_request(body, read_search_batch);
}

std::string encode_search_batch_reply(std::span<const std::vector<Hit>> lists,
                                      std::span<const QueryRequest> requests,
                                      double seconds) {
  assert(lists.size() == requests.size());
  JsonWriter json = begin_reply();
  json.begin_array();
  for (std::size_t i = 0; i < lists.size(); ++i) {
    write_hit_list(lists[i], requests[i].payload, &json);
  }
  json.end_array();
  return end_reply(std::move(json), seconds);
}

}  // namespace lamina::protocol
