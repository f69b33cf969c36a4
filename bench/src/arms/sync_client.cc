#include <chrono>

#include "arms/arm.h"
#include "lamina/client.h"

namespace lamina::bench {

Result<std::shared_ptr<Collection>> open_remote_collection(
    int port, std::string_view name) {
  // One connection for the whole round, however long the other arms take.
  Result<std::unique_ptr<Client>> client = Client::connect(
      "http://127.0.0.1:" + std::to_string(port),
      {.max_connections = 1, .idle_timeout = std::chrono::hours(1)});
  if (!client.ok()) return client.status();
  return (*client)->open_collection(name);
}

}  // namespace lamina::bench
