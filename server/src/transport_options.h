#pragma once

#include <chrono>
#include <cstddef>

namespace lamina::server {

// How long a connection may take for each thing it does. All are whole
// deadlines, not times between two bytes, so that a slow sender cannot stretch
// them.
struct Deadlines {
  // Between two requests, and before the first.
  std::chrono::milliseconds idle{75'000};
  // From the first byte of a head to its last, and the same for a body.
  std::chrono::milliseconds head{10'000};
  std::chrono::milliseconds body{30'000};
  // For the client to take a response.
  std::chrono::milliseconds send{30'000};
  // After stop(), for what is on its way in or out.
  std::chrono::milliseconds drain{4'000};
  // After an error reply, for the client to stop sending and read it.
  std::chrono::milliseconds linger{2'000};
};

struct TransportOptions {
  // Connections served at a time; each takes one thread. Further ones are
  // answered with 503.
  std::size_t max_connections = 256;
  Deadlines deadlines;
};

}  // namespace lamina::server
