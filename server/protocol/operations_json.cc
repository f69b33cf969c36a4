#include "protocol/operations_json.h"

#include "lamina/version.h"
#include "protocol/message.h"

namespace lamina::protocol {

std::string encode_cluster_reply(double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("status").string("disabled").end_object();
  return end_reply(std::move(json), seconds);
}

std::string encode_issues_reply(double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("issues").begin_array().end_array().end_object();
  return end_reply(std::move(json), seconds);
}

std::string encode_optimizations_reply(double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object().key("running").begin_array().end_array();
  json.key("summary").begin_object();
  for (const std::string_view name :
       {"queued_optimizations", "queued_segments", "queued_points"}) {
    json.key(name).uint64(0);
  }
  json.key("idle_segments").uint64(1).end_object().end_object();
  return end_reply(std::move(json), seconds);
}

std::string encode_telemetry_reply(std::string_view started,
                                   std::size_t collection_count,
                                   double seconds) {
  JsonWriter json = begin_reply();
  json.begin_object();
  json.key("id").string(PointId::from_name(started).to_string());
  json.key("app").begin_object();
  json.key("name").string("lamina");
  json.key("version").string(kVersion);
  json.key("startup").string(started).end_object();
  json.key("collections").begin_object();
  json.key("number_of_collections").uint64(collection_count).end_object();
  json.end_object();
  return end_reply(std::move(json), seconds);
}

}  // namespace lamina::protocol
