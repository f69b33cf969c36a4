#include "routes/operations.h"

#include "openapi.h"
#include "protocol/collection_json.h"
#include "protocol/operations_json.h"
#include "protocol/paths.h"
#include "types/json_writer.h"

namespace lamina::server {
namespace {

Reply text(std::string_view body) {
  Reply reply;
  reply.content_type = protocol::kTextContentType;
  reply.body = body;
  return reply;
}

}  // namespace

// Without the envelope: clients look here for the version before all else.
Reply get_root(const Call& call) {
  JsonWriter json;
  json.begin_object();
  json.key("title").string(
      "lamina - vector search engine (Qdrant REST subset)");
  json.key("version").string(protocol::kApiVersion);
  json.end_object();
  return call.json(json.take());
}

Reply get_healthz(const Call&) { return text("healthz check passed"); }

Reply get_readyz(const Call& call) {
  if (!call.state().draining) return text("all shards are ready");
  Reply reply = text("the server is about to end");
  reply.status = 503;
  return reply;
}

Reply get_openapi(const Call& call) {
  return call.json(std::string(openapi()));
}

Reply get_cluster(const Call& call) {
  return call.json(protocol::encode_cluster_reply(call.seconds()));
}

Reply refuse_cluster(const Call& call) {
  return call.refuse(
      protocol::kMethodNotAllowed,
      Status::invalid_argument("lamina is running in standalone mode"));
}

Reply list_issues(const Call& call) {
  return call.json(protocol::encode_issues_reply(call.seconds()));
}

Reply clear_issues(const Call& call) {
  return call.json(protocol::encode_bool_reply(true, call.seconds()));
}

Reply get_optimizations(const Call& call) {
  const Status opened = call.open_collection().status();
  if (!opened.ok()) return call.error(opened);
  return call.json(protocol::encode_optimizations_reply(call.seconds()));
}

Reply refuse_unsupported(const Call& call) {
  return call.error(Status::invalid_argument(
      "lamina does not support " + std::string(call.request().method) + " " +
      std::string(call.request().path) + "; see docs/http-api.md"));
}

Reply noop(const Call& call) { return call.json("{}"); }

Reply echo(const Call& call) {
  Reply reply;
  reply.content_type = "application/octet-stream";
  reply.body = call.body();
  return reply;
}

}  // namespace lamina::server
