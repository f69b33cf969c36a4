#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lamina::server {

// Threads made when they are first needed, up to a limit, and used again. There
// is no queue to wait in: work either starts now or is turned away.
//
// Thread safety: all calls may run concurrently, except join().
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t max_threads) : max_threads_(max_threads) {}
  ~ThreadPool() { join(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // False when every thread is busy and no more may be made. `work` must not
  // throw.
  bool try_run(std::function<void()> work);

  // Returns when all work is done and no thread is left.
  void join();

 private:
  void run();

  const std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::function<void()>> work_;  // Never longer than idle_.
  std::size_t idle_ = 0;
  bool joining_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace lamina::server
