#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace lamina {

// Does a database's work that is no call's own: takes snapshots, syncs what was
// written without waiting for the disk. On one thread, which starts with the
// first work; or, without a thread, in the call that made it due.
//
// Thread safety: all calls may run concurrently.
class Upkeep {
 public:
  using Clock = std::chrono::steady_clock;
  using Task = std::function<void()>;

  // `sync_interval` is after how long writes are to be synced; 0 is never.
  Upkeep(bool on_thread, std::chrono::milliseconds sync_interval)
      : on_thread_(on_thread), sync_interval_(sync_interval) {}
  // Waits for the task that runs; those that do not yet never will.
  ~Upkeep();
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  // Nothing is synced by time when there is no thread to do it.
  std::chrono::milliseconds sync_interval() const {
    return on_thread_ ? sync_interval_ : std::chrono::milliseconds(0);
  }

  // These two throw when memory or a thread cannot be had.
  void post(Task task);
  // Returns when nothing is running, nor ready to; at the latest after `most`.
  void wait_until_idle(std::chrono::milliseconds most);

  // Needs the thread.
  void post_after(std::chrono::milliseconds delay, Task task);

 private:
  void run();
  bool is_due() const {
    return !tasks_.empty() && tasks_.begin()->first <= Clock::now();
  }

  const bool on_thread_;
  const std::chrono::milliseconds sync_interval_;
  std::mutex mutex_;  // Of what follows.
  std::condition_variable changed_;
  std::condition_variable idle_;
  std::multimap<Clock::time_point, Task> tasks_;  // By when they are due.
  bool running_ = false;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace lamina
