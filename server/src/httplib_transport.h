#pragma once

#include <memory>

#include "transport.h"
#include "transport_options.h"

namespace lamina::server {

// HTTP/1.1 over TCP and UNIX sockets on cpp-httplib, with our own reading of
// requests beneath it (bounded_stream.h) and our own connections (lobby.h).
//
// Threads: serve() accepts, and waits for all connections that have nothing to
// be done, in the caller's thread. A thread of a bounded pool takes a
// connection when bytes arrive, and gives it back when it has to wait for more;
// so a slow client costs no thread.
class HttplibTransport : public Transport {
 public:
  // The handler is called concurrently. What it throws becomes a 500.
  explicit HttplibTransport(Handler handler,
                            const TransportOptions& options = {});
  // Only when serve() has returned, or was never called.
  ~HttplibTransport() override;

  Status bind(const std::string& host, std::uint16_t port) override;
  Status bind_unix(const std::string& path) override;
  std::uint16_t port() const override;
  Status serve() override;
  void stop() override;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace lamina::server
