#include "httplib_transport.h"

#include <exception>
#include <string>
#include <utility>

#include "bounded_stream.h"
#include "connection_server.h"
#include "protocol/http_error.h"
#include "protocol/paths.h"
#include "server_name.h"

namespace lamina::server {
namespace {

// What this thread answers. The library hands a handler its own copy of a
// request and nothing else, and to put headers into that would cost an
// allocation each.
struct Current {
  const RequestHead* head = nullptr;
  bool closing = false;  // The answer says "Connection: close".
};
thread_local Current current;

}  // namespace

class HttplibTransport::Server : public httplib::Server {
 public:
  Server(server::Handler handler, const TransportOptions& options)
      : handler_(std::move(handler)),
        connections_(
            [this](BoundedStream* stream) { return serve_request(stream); },
            options) {
    set_hooks();
  }

  ConnectionServer& connections() { return connections_; }

 private:
  void set_hooks();
  bool serve_request(BoundedStream* stream);
  void answer(const httplib::Request& in, httplib::Response* out) const;

  const server::Handler handler_;
  ConnectionServer connections_;
};

void HttplibTransport::Server::set_hooks() {
  // Runs before the library would read a body, route by regular expressions or
  // look at the method, and answers every request, so that it does none of it.
  set_pre_routing_handler(
      [this](const httplib::Request& in, httplib::Response& out) {
        answer(in, &out);
        return HandlerResponse::Handled;
      });
  // The library's own handler would put what() into a response header.
  set_exception_handler([](const httplib::Request&, httplib::Response& out,
                           std::exception_ptr) {
    out.status = 500;
    out.set_content(protocol::encode_error_reply(
                        "Service internal error: unexpected exception", 0.0),
                    std::string(protocol::kJsonContentType));
  });
  // Runs last: takes away what the library adds of its own.
  set_post_routing_handler(
      [this](const httplib::Request&, httplib::Response& out) {
        out.headers.erase("Keep-Alive");
        out.headers.erase("Accept-Ranges");
        if (!current.closing && connections_.is_stopping()) {
          current.closing = true;
          out.set_header("Connection", "close");
        }
      });
}

// False when the connection is to be closed.
bool HttplibTransport::Server::serve_request(BoundedStream* stream) {
  bool ignored = false;
  current = {.head = &stream->head(), .closing = !stream->head().keep_alive};
  process_request(*stream, current.closing, ignored,
                  [stream](httplib::Request& request) {
                    const RequestHead& head = stream->head();
                    request.method = head.method;
                    request.path = head.path;
                    request.target = head.query;
                    request.body = stream->take_body();
                  });
  return !current.closing;
}

void HttplibTransport::Server::answer(const httplib::Request& in,
                                      httplib::Response* out) const {
  Reply reply = handler_({.method = in.method,
                          .path = in.path,
                          .query = in.target,
                          .body = in.body,
                          .durability = current.head->durability,
                          .content_type = current.head->content_type,
                          .accept = current.head->accept,
                          .host = current.head->host,
                          .origin = current.head->origin,
                          .api_key = current.head->api_key,
                          .authorization = current.head->authorization,
                          .request_id = current.head->request_id,
                          .traceparent = current.head->traceparent,
                          .wants_timing = current.head->wants_timing});
  out->status = reply.status;
  out->set_header("Server", kServerName);
  if (!reply.content_type.empty()) {
    out->set_header("Content-Type", std::string(reply.content_type));
  }
  for (const auto& [name, value] : reply.headers) {
    out->set_header(std::string(name), value);
  }
  out->body = std::move(reply.body);
}

HttplibTransport::HttplibTransport(Handler handler,
                                   const TransportOptions& options)
    : server_(std::make_unique<Server>(std::move(handler), options)) {}

HttplibTransport::~HttplibTransport() = default;

Status HttplibTransport::bind(const std::string& host, std::uint16_t port) {
  return server_->connections().bind(host, port);
}

Status HttplibTransport::bind_unix(const std::string& path) {
  return server_->connections().bind_unix(path);
}

std::uint16_t HttplibTransport::port() const {
  return server_->connections().port();
}

Status HttplibTransport::serve() { return server_->connections().serve(); }

void HttplibTransport::stop() { server_->connections().stop(); }

}  // namespace lamina::server
