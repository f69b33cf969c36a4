#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/store.h"

namespace lamina {

struct ClientOptions {
  // One deadline for a whole call: waiting for a connection, connecting,
  // sending, the server's work, receiving.
  std::chrono::milliseconds deadline{10'000};
  // Part of the deadline that connecting may take.
  std::chrono::milliseconds connect_timeout{2'000};
  // Connections kept open. A call beyond them waits for one within its
  // deadline. Connections are made when first needed.
  std::size_t max_connections = 8;
  // A connection unused for longer is not used again. Keep it below the
  // server's keep-alive time.
  std::chrono::milliseconds idle_timeout{30'000};
  // Sent with each request, for servers that ask for a key: printable ASCII.
  // When empty, the environment variable LAMINA_API_KEY is looked at. No error
  // text tells it.
  std::string api_key{};
  // Largest reply that is read.
  std::size_t max_reply_bytes = 64u << 20;
};

// The Store behind a server: each call is one HTTP request on a kept-alive
// connection. Results and errors are those of the engine, bit for bit.
//
// Beside an engine's errors, calls return
//   unavailable: the server cannot be reached, or it closed the connection;
//   deadline_exceeded: the answer did not come in time;
//   internal: the answer is not HTTP, or not this protocol.
//
// Thread safety: as Store; concurrent calls use a connection each.
// Lifetime: handles to collections share the connection pool, and keep working
// after the Client is gone. A handle knows its collection by name: when that is
// dropped and made anew, an old handle reaches the new one.
class Client : public Store {
 public:
  // Reads the URL; does not connect.
  //   invalid_argument: not "http://host[:port][/prefix]"; a key that cannot be
  //   sent.
  static Result<std::unique_ptr<Client>> connect(
      std::string_view url, const ClientOptions& options = {});

  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Result<std::shared_ptr<Collection>> create_collection(
      std::string_view name, const CollectionOptions& options) override;
  // Asks the server whether the collection exists.
  Result<std::shared_ptr<Collection>> open_collection(
      std::string_view name) override;
  Result<std::vector<std::string>> list_collections() const override;
  Result<bool> drop_collection(std::string_view name) override;

 private:
  class Impl;
  explicit Client(std::shared_ptr<Impl> impl);

  std::shared_ptr<Impl> impl_;
};

}  // namespace lamina
