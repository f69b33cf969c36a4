#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "transport.h"

namespace lamina::client {

// Kept-alive connections, the one used last first: it is the least likely to
// have been closed by the server, and the rest can go idle and be dropped.
//
// Thread safety: take() may run concurrently.
// Lifetime: must outlive its leases.
class ConnectionPool {
 public:
  struct Limits {
    std::size_t max_connections;
    std::chrono::milliseconds idle_timeout;
  };

  // The right to use one connection. Gives it back on destruction when its last
  // exchange left it open, else closes it.
  //
  // Thread safety: none.
  class Lease {
   public:
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)),
          connection_(std::move(other.connection_)),
          is_fresh_(other.is_fresh_) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    Connection& operator*() { return *connection_; }
    Connection* operator->() { return connection_.get(); }

    // Made for this lease, never used before.
    bool is_fresh() const { return is_fresh_; }

    // Closes the connection and makes a new one in its place.
    Status renew(Deadline deadline);

   private:
    friend class ConnectionPool;
    Lease(ConnectionPool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}

    ConnectionPool* pool_;
    std::unique_ptr<Connection> connection_;  // Null: only the place is held.
    bool is_fresh_ = false;
  };

  ConnectionPool(std::unique_ptr<Transport> transport, const Limits& limits)
      : transport_(std::move(transport)), limits_(limits) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  // A kept connection, or a new one. Waits for one when all are in use.
  //   deadline_exceeded: none became free in time.
  //   and what Transport::connect returns.
  Result<Lease> take(Deadline deadline);

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    Clock::time_point since;
  };

  // Waits for a place within max_connections; false when none became free.
  bool take_place(Deadline deadline, Idle* kept);
  // With mutex_ held; the caller destroys them without it.
  std::vector<Idle> take_expired(Clock::time_point now);
  void give_back(std::unique_ptr<Connection> connection);

  const std::unique_ptr<Transport> transport_;
  const Limits limits_;
  std::mutex mutex_;  // Guards what follows; held for a push or a pop only.
  std::condition_variable place_free_;
  std::size_t in_use_ = 0;
  std::vector<Idle> idle_;  // Used last at the back.
};

}  // namespace lamina::client
