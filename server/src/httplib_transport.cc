#include "httplib_transport.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "bounded_stream.h"
#include "protocol/http_error.h"
#include "protocol/paths.h"
#include "server_name.h"
#include "thread_pool.h"

namespace lamina::server {
namespace {

// Connections that wait to be accepted. The library says 5, which clients that
// open one connection per request overrun.
constexpr int kBacklog = 1024;

// Threads beside those of served connections, to tell further ones politely
// that there is no room.
constexpr std::size_t kRefusingThreads = 2;

constexpr Refusal kFull{503, "Service unavailable: too many connections"};

// The head of the request that this thread serves. The library hands a handler
// its own copy of a request and nothing else, and to put headers into that
// would cost an allocation each.
thread_local const RequestHead* current_head = nullptr;

// Closes a descriptor at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

 private:
  const int fd_;
};

void set_listening_socket_options(int socket) {
  // Not SO_REUSEPORT, the library's default: with it a second server on the
  // same port starts without an error and takes half of the connections.
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  fcntl(socket, F_SETFD, FD_CLOEXEC);
}

// The library hands accepted connections to this.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  ConnectionThreads(std::size_t max_threads, std::function<void()> on_end)
      : pool_(max_threads), on_end_(std::move(on_end)) {}

  // Without a free thread the connection is dealt with here, in the accepting
  // thread, which turns it away.
  void enqueue(std::function<void()> connection) override {
    if (!pool_.try_run(connection)) connection();
  }

  // The library calls this when its accept loop has ended.
  void shutdown() override {
    on_end_();
    pool_.join();
  }

 private:
  ThreadPool pool_;
  std::function<void()> on_end_;
};

}  // namespace

class HttplibTransport::Server : public httplib::Server {
 public:
  Server(server::Handler handler, const TransportOptions& options)
      : handler_(std::move(handler)),
        options_(options),
        stop_event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    set_socket_options(set_listening_socket_options);
    set_hooks();
    new_task_queue = [this]() -> httplib::TaskQueue* {
      return new ConnectionThreads(options_.max_connections + kRefusingThreads,
                                   [this] { end_accepting(); });
    };
  }

  ~Server() override {
    if (listener_ < 0) return;
    close(listener_);
    if (!served_) close(svr_sock_);  // Otherwise the accept loop closed it.
  }

  Status bind_address(const std::string& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }
  Status serve();
  void request_stop();

 private:
  void set_hooks();
  void end_accepting();
  void begin_stop();
  bool process_and_close_socket(socket_t socket) override;
  void serve_connection(BoundedStream* stream);
  bool serve_request(BoundedStream* stream);
  void turn_away(BoundedStream* stream);
  void answer(const httplib::Request& in, httplib::Response* out) const;

  const server::Handler handler_;
  const TransportOptions options_;
  const Descriptor stop_event_;  // Readable from stop on; never read.

  // A second descriptor of the listening socket. The library closes its own
  // when the accept loop ends, after which the number may belong to another
  // file; this one is ours to shut down at any time.
  int listener_ = -1;
  std::uint16_t port_ = 0;
  bool served_ = false;
  bool accept_failed_ = false;
  std::thread::id accepting_thread_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> connections_{0};
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
        if (stopping_ && !out.has_header("Connection")) {
          out.set_header("Connection", "close");
        }
      });
}

Status HttplibTransport::Server::bind_address(const std::string& host,
                                              std::uint16_t port) {
  errno = 0;
  const int bound = port == 0                  ? bind_to_any_port(host)
                    : bind_to_port(host, port) ? port
                                               : -1;
  if (bound < 0) {
    const std::string reason =
        errno == 0 ? "no such address" : std::strerror(errno);
    return Status::unavailable("cannot listen on " + host + ":" +
                               std::to_string(port) + ": " + reason);
  }
  port_ = static_cast<std::uint16_t>(bound);
  listener_ = fcntl(svr_sock_, F_DUPFD_CLOEXEC, 0);
  ::listen(svr_sock_, kBacklog);  // Again: only the backlog changes.
  if (listener_ >= 0 && stop_event_.get() >= 0) return {};
  return Status::unavailable(std::string("cannot serve: ") +
                             std::strerror(errno));
}

Status HttplibTransport::Server::serve() {
  accepting_thread_ = std::this_thread::get_id();
  served_ = true;
  listen_after_bind();  // Returns at once when the listener was shut down.
  if (accept_failed_) return Status::io_error("the listening socket failed");
  return {};
}

// The accept loop ended: because of stop(), or by itself.
void HttplibTransport::Server::end_accepting() {
  accept_failed_ = !stopping_;
  begin_stop();
}

void HttplibTransport::Server::begin_stop() {
  stopping_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored =
      ::write(stop_event_.get(), &one, sizeof one);
}

void HttplibTransport::Server::request_stop() {
  begin_stop();
  // Wakes accept(), and makes it fail should it not have been called yet.
  ::shutdown(listener_, SHUT_RDWR);
}

bool HttplibTransport::Server::process_and_close_socket(socket_t socket) {
  const Descriptor closed_at_the_end(socket);
  const std::size_t others = connections_++;
  try {
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    BoundedStream stream(socket, stop_event_.get(), options_.deadlines);
    if (others < options_.max_connections &&
        std::this_thread::get_id() != accepting_thread_) {
      serve_connection(&stream);
    } else {
      turn_away(&stream);
    }
  } catch (const std::exception&) {
    // Out of memory outside of a handler: only this connection ends.
  }
  --connections_;
  return true;
}

void HttplibTransport::Server::serve_connection(BoundedStream* stream) {
  for (;;) {
    switch (stream->receive()) {
      case BoundedStream::Received::closed:
        return;
      case BoundedStream::Received::refused:
        if (stream->flush()) stream->linger();
        return;
      case BoundedStream::Received::request:
        if (!serve_request(stream)) return;
    }
  }
}

// False when the connection is to be closed.
bool HttplibTransport::Server::serve_request(BoundedStream* stream) {
  bool ignored = false;
  const bool keep_alive = stream->head().keep_alive;
  current_head = &stream->head();
  process_request(*stream, !keep_alive, ignored,
                  [stream](httplib::Request& request) {
                    const RequestHead& head = stream->head();
                    request.method = head.method;
                    request.path = head.path;
                    request.target = head.query;
                    request.body = stream->take_body();
                  });
  return stream->flush() && keep_alive && !stopping_;
}

void HttplibTransport::Server::turn_away(BoundedStream* stream) {
  stream->refuse(kFull);
  if (stream->flush() && std::this_thread::get_id() != accepting_thread_) {
    stream->linger();
  }
}

void HttplibTransport::Server::answer(const httplib::Request& in,
                                      httplib::Response* out) const {
  Reply reply = handler_({.method = in.method,
                          .path = in.path,
                          .query = in.target,
                          .body = in.body,
                          .durability = current_head->durability,
                          .content_type = current_head->content_type,
                          .accept = current_head->accept,
                          .host = current_head->host,
                          .origin = current_head->origin,
                          .api_key = current_head->api_key,
                          .authorization = current_head->authorization,
                          .request_id = current_head->request_id,
                          .traceparent = current_head->traceparent,
                          .wants_timing = current_head->wants_timing});
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
  return server_->bind_address(host, port);
}

std::uint16_t HttplibTransport::port() const { return server_->port(); }

Status HttplibTransport::serve() { return server_->serve(); }

void HttplibTransport::stop() { server_->request_stop(); }

}  // namespace lamina::server
