#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "lamina/result.h"

// The seam between what the client asks and how bytes get to the server and
// back. A test puts a scripted double behind it.
namespace lamina::client {

using Clock = std::chrono::steady_clock;
// The moment at which a call gives up, whatever it is doing.
using Deadline = Clock::time_point;

struct HttpRequest {
  std::string_view method;           // "POST"
  std::string_view target;           // Path and query, percent-encoded
  std::string_view body = {};        // JSON, or empty
  std::string_view durability = {};  // Value of Lamina-Durability, or empty
};

struct HttpReply {
  int status = 0;
  std::string body;
  std::string lamina_status;  // Value of Lamina-Status, or empty
  bool durable = false;       // Value of Lamina-Durable
};

// What the last exchange left of a connection.
enum class ConnectionState {
  // Takes another request.
  open,
  // Is of no more use.
  closed,
  // Broke before one byte of the reply came. A connection that was kept from an
  // earlier exchange ends so when the server closed it meanwhile.
  closed_before_reply,
};

// One connection to the server.
//
// Thread safety: none.
class Connection {
 public:
  virtual ~Connection() = default;

  // Sends a request and reads its reply, whatever the reply's status.
  //   unavailable: the connection broke.
  //   deadline_exceeded: the reply did not come in time.
  //   resource_exhausted: the reply is larger than it may be.
  //   internal: the reply is not HTTP.
  virtual Result<HttpReply> exchange(const HttpRequest& request,
                                     Deadline deadline) = 0;

  virtual ConnectionState state() const = 0;

  // Nothing has come from the server since the last reply, not even the end of
  // the connection. Costs a system call.
  virtual bool is_quiet() const = 0;
};

// Makes connections.
//
// Thread safety: connect() may run concurrently.
class Transport {
 public:
  virtual ~Transport() = default;

  //   unavailable: nobody listens there, or there is no such host.
  //   deadline_exceeded: no answer in time.
  virtual Result<std::unique_ptr<Connection>> connect(Deadline deadline) = 0;
};

}  // namespace lamina::client
