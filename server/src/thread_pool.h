#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lamina::server {

// Threads made when they are first needed, up to a limit, and used again. Work
// beyond them waits its turn; whoever gives work bounds how much there is.
//
// Thread safety: all calls may run concurrently, except join().
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t max_threads) : max_threads_(max_threads) {}
  ~ThreadPool() { join(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // False when there is no thread and none can be made. `work` must not throw.
  bool run(std::function<void()> work);

  // Work waits for a thread.
  bool is_short() const { return short_; }

  // Returns when all work is done and no thread is left.
  void join();

 private:
  void serve();
  // With the mutex held.
  void note_length() { short_ = work_.size() > idle_; }

  const std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::function<void()>> work_;
  std::size_t idle_ = 0;
  std::atomic<bool> short_{false};
  bool joining_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace lamina::server
