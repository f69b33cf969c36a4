#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "connection_pool.h"
#include "lamina/client.h"
#include "lamina/result.h"
#include "transport.h"
#include "url.h"

namespace lamina::client {

// What a Client and its collections share: calls of one server.
//
// Thread safety: call() and send() may run concurrently.
class Session {
 public:
  Session(const Url& url, const ClientOptions& options,
          std::unique_ptr<Transport> transport);

  // The full target of a path of the protocol.
  std::string target(std::string_view path) const {
    return prefix_ + std::string(path);
  }

  // One call: sends a request within the deadline of the options, and reads the
  // body of its reply with `decode`, which returns a Result.
  //   as send(); internal where `decode` fails.
  template <class Decode>
  auto call(const HttpRequest& request, Decode decode)
      -> decltype(decode(std::string_view())) {
    const Result<HttpReply> reply = send(request);
    if (!reply.ok()) return reply.status();
    return understood(request, decode(reply->body));
  }

  // The reply of a request that succeeded. A request that a stale connection
  // swallowed is sent a second time, which is safe: a repeated write has the
  // same content.
  //   What the server's error reply stands for, or what Connection::exchange
  //   returns.
  Result<HttpReply> send(const HttpRequest& request);

  // What was decoded from the reply to `request`; internal when that failed.
  template <class T>
  Result<T> understood(const HttpRequest& request, Result<T> decoded) const {
    if (decoded.ok()) return decoded;
    return not_understood(request, decoded.status());
  }

 private:
  Result<HttpReply> exchange(const HttpRequest& request, Deadline deadline);
  Status not_understood(const HttpRequest& request, const Status& why) const;
  // "127.0.0.1:6333: GET /collections"
  std::string describe(const HttpRequest& request) const;

  const std::string authority_;
  const std::string prefix_;
  const std::chrono::milliseconds timeout_;
  ConnectionPool pool_;
};

}  // namespace lamina::client
