#include "session.h"

#include <utility>

#include "protocol/http_error.h"

namespace lamina::client {

Session::Session(const Url& url, const ClientOptions& options,
                 std::unique_ptr<Transport> transport)
    : authority_(url.authority()),
      prefix_(url.prefix),
      timeout_(options.deadline),
      pool_(std::move(transport), {.max_connections = options.max_connections,
                                   .idle_timeout = options.idle_timeout}) {}

Result<HttpReply> Session::send(const HttpRequest& request) {
  const Clock::time_point start = Clock::now();
  Result<HttpReply> reply = exchange(request, start + timeout_);
  if (!reply.ok()) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        Clock::now() - start);
    return Status(reply.status().code(),
                  describe(request) + ": " + reply.status().message() +
                      ", after " + std::to_string(elapsed.count()) + " ms");
  }
  if (reply->status < 200 || reply->status > 299) {
    return protocol::from_http(reply->status, reply->lamina_status,
                               reply->body);
  }
  return reply;
}

Result<HttpReply> Session::exchange(const HttpRequest& request,
                                    Deadline deadline) {
  Result<ConnectionPool::Lease> taken = pool_.take(deadline);
  if (!taken.ok()) return taken.status();
  ConnectionPool::Lease& connection = *taken;

  Result<HttpReply> reply = connection->exchange(request, deadline);
  const bool was_stale =
      !connection.is_fresh() &&
      connection->state() == ConnectionState::closed_before_reply;
  if (!was_stale) return reply;

  Status renewed = connection.renew(deadline);
  if (!renewed.ok()) return renewed;
  return connection->exchange(request, deadline);
}

Status Session::not_understood(const HttpRequest& request,
                               const Status& why) const {
  return Status::internal(
      describe(request) +
      ": the reply is not of this protocol: " + why.to_string());
}

std::string Session::describe(const HttpRequest& request) const {
  return authority_ + ": " + std::string(request.method) + " " +
         std::string(request.target);
}

}  // namespace lamina::client
