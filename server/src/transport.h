#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lamina/status.h"

// The seam between HTTP and what the server does: handlers are functions from
// Request to Reply and see no type of any HTTP library.
namespace lamina::server {

// A request whose framing was checked. Views are valid until the handler
// returns.
struct Request {
  std::string_view method;  // "GET"
  std::string_view path;    // "/collections/a%20b", still percent-encoded
  std::string_view query;   // Behind '?', still percent-encoded
  std::string_view body;
  // Values of headers, empty when they are not there.
  std::string_view durability = {};  // Lamina-Durability
  std::string_view content_type = {};
  std::string_view accept = {};
  std::string_view host = {};
  std::string_view origin = {};
  std::string_view api_key = {};        // api-key
  std::string_view authorization = {};  // Authorization
  std::string_view request_id = {};     // X-Request-Id
  std::string_view traceparent = {};    // Of W3C Trace Context.
  bool wants_timing = false;            // Lamina-Timing is there.
};

struct Reply {
  int status = 200;
  std::string_view content_type;
  std::string body;
  std::vector<std::pair<std::string_view, std::string>> headers;
};

using Handler = std::function<Reply(const Request&)>;

// Something that takes connections and calls a handler for each request,
// concurrently.
class Transport {
 public:
  virtual ~Transport() = default;

  // Takes the address. Port 0 picks a free one.
  //   unavailable: the address is in use, or not ours.
  virtual Status bind(const std::string& host, std::uint16_t port) = 0;

  // Takes a socket file as well, which only its owner may use. It is removed
  // when serve() ends.
  //   invalid_argument: the path is empty or too long for a socket.
  //   unavailable: somebody listens there, or it is another kind of file.
  virtual Status bind_unix(const std::string& path) = 0;

  // The port that bind() took.
  virtual std::uint16_t port() const = 0;

  // Serves until stop(); returns when every request that was begun is answered.
  //   io_error: the listening socket failed.
  virtual Status serve() = 0;

  // Ends serve(): idle connections are closed, requests under way are answered
  // with "Connection: close". Callable from any thread, more than once, also
  // before serve().
  virtual void stop() = 0;
};

}  // namespace lamina::server
