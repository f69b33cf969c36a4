#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace lamina::server {

// The memory for bodies of all connections together. Without a bound to it, a
// bound for each body times that for connections is more than machines have.
//
// Thread safety: all calls may run concurrently.
class BodyMemory {
 public:
  explicit BodyMemory(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // A part of it that one connection holds, and gives back in the end.
  // Thread safety: one thread at a time.
  class Share {
   public:
    // Without a memory there is no bound.
    explicit Share(BodyMemory* memory) : memory_(memory) {}
    ~Share() { give_back(); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Holds at least that much from now on. False when there is no room.
    bool hold(std::size_t bytes) {
      if (!memory_ || bytes <= held_) return true;
      const std::size_t more = bytes - held_;
      if (memory_->used_.fetch_add(more) + more > memory_->max_bytes_) {
        memory_->used_ -= more;
        return false;
      }
      held_ = bytes;
      return true;
    }

    void give_back() {
      if (held_ > 0) memory_->used_ -= std::exchange(held_, 0);
    }

   private:
    BodyMemory* const memory_;
    std::size_t held_ = 0;
  };

 private:
  const std::size_t max_bytes_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace lamina::server
