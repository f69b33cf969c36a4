#include "routes/operations.h"

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

Reply get_readyz(const Call&) { return text("all shards are ready"); }

Reply noop(const Call& call) { return call.json("{}"); }

}  // namespace lamina::server
