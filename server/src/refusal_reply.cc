#include "refusal_reply.h"

#include <string_view>

#include "protocol/http_error.h"
#include "protocol/paths.h"
#include "server_name.h"

namespace lamina::server {
namespace {

std::string_view reason_phrase(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Refused";
  }
}

}  // namespace

void append_refusal(const Refusal& refusal, std::string* response) {
  const std::string body = protocol::encode_error_reply(refusal.text, 0.0);
  response->append("HTTP/1.1 ").append(std::to_string(refusal.status));
  response->append(" ").append(reason_phrase(refusal.status));
  response->append("\r\nConnection: close\r\nServer: ").append(kServerName);
  if (refusal.status == 503) response->append("\r\nRetry-After: 1");
  response->append("\r\nContent-Type: ").append(protocol::kJsonContentType);
  response->append("\r\nContent-Length: ").append(std::to_string(body.size()));
  response->append("\r\n\r\n").append(body);
}

}  // namespace lamina::server
