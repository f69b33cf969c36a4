#include "routes/call.h"

#include <utility>

#include "protocol/paths.h"
#include "protocol/points_json.h"

namespace lamina::server {

Reply Call::json(std::string body) const {
  Reply reply;
  reply.content_type = protocol::kJsonContentType;
  reply.body = std::move(body);
  return reply;
}

Reply Call::written(const UpdateResult& result) const {
  Reply reply =
      json(protocol::encode_update_reply(result, parameters.wait, seconds()));
  reply.headers.emplace_back(protocol::kDurableHeader,
                             result.durable ? "true" : "false");
  return reply;
}

Reply Call::error(const Status& status, protocol::ErrorOrigin origin) const {
  const protocol::HttpError error = protocol::to_http(status, origin);
  Reply reply = json(protocol::encode_error_reply(error.text, seconds()));
  reply.status = error.status;
  reply.headers.emplace_back(protocol::kStatusHeader, to_string(status.code()));
  return reply;
}

}  // namespace lamina::server
