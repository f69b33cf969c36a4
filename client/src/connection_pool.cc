#include "connection_pool.h"

#include <algorithm>
#include <iterator>

namespace lamina::client {
namespace {

// A connection that rested for longer is looked at before it is used: the
// server may have closed it, or sent something that answers no request. Calls
// in quick succession do not pay for the look.
constexpr std::chrono::milliseconds kTrustedRest{500};

}  // namespace

ConnectionPool::Lease::~Lease() {
  if (pool_ != nullptr) pool_->give_back(std::move(connection_));
}

Status ConnectionPool::Lease::renew(Deadline deadline) {
  connection_.reset();
  Result<std::unique_ptr<Connection>> made =
      pool_->transport_->connect(deadline);
  if (!made.ok()) return made.status();
  connection_ = *std::move(made);
  is_fresh_ = true;
  return {};
}

Result<ConnectionPool::Lease> ConnectionPool::take(Deadline deadline) {
  Idle kept;
  if (!take_place(deadline, &kept)) {
    return Status::deadline_exceeded("all " +
                                     std::to_string(limits_.max_connections) +
                                     " connections stayed in use");
  }
  Lease lease(*this, std::move(kept.connection));
  const bool is_usable =
      lease.connection_ != nullptr &&
      (Clock::now() - kept.since < kTrustedRest || lease->is_quiet());
  if (is_usable) return lease;

  Status renewed = lease.renew(deadline);
  if (!renewed.ok()) return renewed;
  return lease;
}

bool ConnectionPool::take_place(Deadline deadline, Idle* kept) {
  std::vector<Idle> expired;  // Destroyed after the lock is gone.
  std::unique_lock lock(mutex_);
  if (!place_free_.wait_until(
          lock, deadline, [&] { return in_use_ < limits_.max_connections; })) {
    return false;
  }
  ++in_use_;
  expired = take_expired(Clock::now());
  if (!idle_.empty()) {
    *kept = std::move(idle_.back());
    idle_.pop_back();
  }
  return true;
}

std::vector<ConnectionPool::Idle> ConnectionPool::take_expired(
    Clock::time_point now) {
  const auto first_fresh =
      std::find_if(idle_.begin(), idle_.end(), [&](const Idle& idle) {
        return now - idle.since <= limits_.idle_timeout;
      });
  std::vector<Idle> expired(std::make_move_iterator(idle_.begin()),
                            std::make_move_iterator(first_fresh));
  idle_.erase(idle_.begin(), first_fresh);
  return expired;
}

void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
  const bool is_open =
      connection != nullptr && connection->state() == ConnectionState::open;
  if (!is_open) connection.reset();
  {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (is_open) idle_.push_back({std::move(connection), Clock::now()});
  }
  place_free_.notify_one();
}

}  // namespace lamina::client
