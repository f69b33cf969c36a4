#pragma once

#include <mutex>
#include <shared_mutex>

namespace lamina::rows {

// A shared mutex under which neither side starves. The C++ library's own lets a
// steady stream of overlapping readers keep a writer out for ever; here whoever
// comes after a waiting writer queues behind it.
class FairSharedMutex {
 public:
  std::shared_lock<std::shared_mutex> read_lock() {
    const std::lock_guard turn(turnstile_);
    return std::shared_lock(mutex_);
  }

  std::unique_lock<std::shared_mutex> write_lock() {
    const std::lock_guard turn(turnstile_);
    return std::unique_lock(mutex_);
  }

 private:
  std::mutex turnstile_;
  std::shared_mutex mutex_;
};

}  // namespace lamina::rows
