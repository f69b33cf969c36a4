#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "httplib_transport.h"
#include "support/raw_http.h"

namespace lamina::test {

// An HttplibTransport that serves in a thread of its own.
class RunningTransport {
 public:
  // Answers each request with what it was: "METHOD path?query [body]".
  explicit RunningTransport(const server::TransportOptions& options = {});
  RunningTransport(server::Handler handler,
                   const server::TransportOptions& options);
  // As the first, also on a socket file.
  explicit RunningTransport(const std::string& socket_file);
  // Stops, and waits for the end of serve().
  ~RunningTransport();
  RunningTransport(const RunningTransport&) = delete;
  RunningTransport& operator=(const RunningTransport&) = delete;

  std::uint16_t port() const { return transport_.port(); }
  server::HttplibTransport& transport() { return transport_; }

  // A new connection to it.
  RawConnection connect() const;

  // Stops it, and tells what serve() returned and how long that took.
  Status stop();
  std::chrono::milliseconds stop_duration() const { return stop_duration_; }

 private:
  void start();

  server::HttplibTransport transport_;
  Status served_;
  std::chrono::milliseconds stop_duration_{0};
  std::thread thread_;
};

// A reply of 200 with a body.
inline server::Reply reply_with(std::string body) {
  server::Reply reply;
  reply.content_type = "text/plain";
  reply.body = std::move(body);
  return reply;
}

// A request without a body, from one that has all that is needed.
inline std::string get(std::string_view target, std::string_view headers = "") {
  return raw_request("GET", target, "", headers);
}

}  // namespace lamina::test
