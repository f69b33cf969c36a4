#pragma once

#include <mutex>
#include <shared_mutex>

namespace lamina::server {

// Lets a write that depends on what it has read run alone. All other writes
// pass together. A steady stream of them does not keep one out for ever: who
// comes after it queues behind it.
//
// Thread safety: all calls may run concurrently.
class WriteGate {
 public:
  std::shared_lock<std::shared_mutex> pass() {
    const std::lock_guard turn(turnstile_);
    return std::shared_lock(mutex_);
  }

  std::unique_lock<std::shared_mutex> pass_alone() {
    const std::lock_guard turn(turnstile_);
    return std::unique_lock(mutex_);
  }

 private:
  std::mutex turnstile_;
  std::shared_mutex mutex_;
};

}  // namespace lamina::server
