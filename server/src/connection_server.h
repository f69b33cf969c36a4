#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "body_memory.h"
#include "connection.h"
#include "listener.h"
#include "lobby.h"
#include "thread_pool.h"
#include "transport_options.h"

namespace lamina::server {

// Listens, and serves the requests of all connections with a bounded number of
// threads. A connection is always in one place: in the lobby, waiting for its
// client; in the queue of the pool; or with a thread, which stays with it for a
// moment after each answer in case the next request follows at once.
//
// The calls are those of Transport (transport.h).
class ConnectionServer {
 public:
  // Writes the response to the request that the stream has read. False when
  // the connection is to be closed after it. May throw.
  using Answer = std::function<bool(BoundedStream*)>;

  ConnectionServer(Answer answer, const TransportOptions& options);
  ~ConnectionServer();

  Status bind(const std::string& host, std::uint16_t port);
  Status bind_unix(const std::string& path);
  std::uint16_t port() const { return port_; }
  Status serve();
  void stop();
  bool is_stopping() const { return stopping_; }

 private:
  using Guest = std::unique_ptr<Lobby::Guest>;

  // What a connection can go on with.
  enum class Next { close, readable, writable, others_first };

  void stop_listening();
  void accept_some(int listener);
  void admit(Descriptor socket);
  void hand_over(Guest guest);
  void serve_guest(Guest guest);
  void serve_until_parked(Guest* guest);
  bool park(Guest* guest, Lobby::Awaited awaited, bool stopping);
  Next advance(Connection* connection, bool stopping);
  void answer(Connection* connection);
  bool stay(const Connection& connection, Next next);
  bool poll_socket(int socket, short events) const;
  void end(Guest guest);

  const Answer answer_;
  const TransportOptions options_;
  const Descriptor stop_event_;  // Readable from stop on; never read.
  BodyMemory body_memory_;
  Lobby lobby_;
  ThreadPool pool_;

  std::vector<Listener> listeners_;
  std::string socket_file_;
  std::uint16_t port_ = 0;

  std::atomic<bool> stopping_{false};
  std::atomic<bool> failed_{false};
  std::atomic<std::int64_t> stop_time_{0};  // Ticks of the clock.
  std::atomic<std::size_t> connections_{0};
  std::atomic<std::size_t> refused_{0};  // Of them: were told that it is full.
  std::atomic<std::size_t> staying_{0};  // Threads that wait for a connection.
};

}  // namespace lamina::server
