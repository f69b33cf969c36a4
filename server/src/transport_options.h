#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lamina::server {

// How long a connection may take for each thing it does. All are whole
// deadlines, not times between two bytes, so that a slow sender cannot stretch
// them.
struct Deadlines {
  // Between two requests, and before the first.
  std::chrono::milliseconds idle{75'000};
  // From the first byte of a head to its last.
  std::chrono::milliseconds head{10'000};
  // From the first byte of a head to the last of the body.
  std::chrono::milliseconds request{60'000};
  // How far a body may be behind what min_body_rate asks for.
  std::chrono::milliseconds behind{10'000};
  // Bytes of a body per second.
  std::size_t min_body_rate = 16u << 10;
  // For the client to take a response.
  std::chrono::milliseconds send{30'000};
  // After stop(), for what is on its way in or out.
  std::chrono::milliseconds drain{4'000};
  // After an error reply, for the client to stop sending and read it.
  std::chrono::milliseconds linger{2'000};
};

struct TransportOptions {
  // Connections at a time. Further ones are answered with 503.
  std::size_t max_connections = 1'000;
  // Threads that serve requests. Connections that wait for their client take
  // none.
  std::size_t max_workers = 64;
  // For the bodies of all connections together, from when a body does not come
  // with its head until it is answered. One that does not fit gets 503.
  std::size_t max_body_memory = 1u << 30;
  // How long a thread waits for the next request of the connection it has just
  // served before it leaves the connection to the epoll: what comes within this
  // time needs no other thread to be woken.
  std::chrono::milliseconds stay{20};
  // For how much of that time, in microseconds, it asks the socket again and
  // again instead of sleeping. It takes a processor for each such connection.
  std::uint32_t busy_poll_us = 0;
  Deadlines deadlines;
};

}  // namespace lamina::server
