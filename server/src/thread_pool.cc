#include "thread_pool.h"

#include <system_error>
#include <utility>

namespace lamina::server {

bool ThreadPool::try_run(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (idle_ == work_.size()) {
    if (threads_.size() == max_threads_) return false;
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // The system has no more threads.
      return false;
    }
    ++idle_;  // The new thread, on its way to wait for work.
  }
  work_.push_back(std::move(work));
  has_work_.notify_one();
  return true;
}

void ThreadPool::join() {
  {
    const std::lock_guard lock(mutex_);
    joining_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void ThreadPool::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_work_.wait(lock, [this] { return !work_.empty() || joining_; });
    if (work_.empty()) return;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    --idle_;
    lock.unlock();
    work();
    lock.lock();
    ++idle_;
  }
}

}  // namespace lamina::server
