#pragma once

#include <memory>

#include "transport.h"
#include "transport_options.h"

namespace lamina::server {

// HTTP/1.1 over TCP on cpp-httplib, with our own reading of requests beneath it
// (bounded_stream.h) and our own loop over the requests of a connection.
//
// Threads: one per connection, made when first needed and kept for the next
// connection; serve() accepts in the caller's thread.
class HttplibTransport : public Transport {
 public:
  // The handler is called concurrently. What it throws becomes a 500.
  explicit HttplibTransport(Handler handler,
                            const TransportOptions& options = {});
  // Only when serve() has returned, or was never called.
  ~HttplibTransport() override;

  Status bind(const std::string& host, std::uint16_t port) override;
  std::uint16_t port() const override;
  Status serve() override;
  void stop() override;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace lamina::server
