#include "thread_pool.h"

#include <system_error>
#include <utility>

namespace lamina::server {

bool ThreadPool::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (idle_ <= work_.size() && threads_.size() < max_threads_) {
      try {
        threads_.emplace_back([this] { serve(); });
        ++idle_;  // The new thread, on its way to wait for work.
      } catch (const std::system_error&) {  // The system has no more threads.
        if (threads_.empty()) return false;
      }
    }
    work_.push_back(std::move(work));
    note_length();
  }
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

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_work_.wait(lock, [this] { return !work_.empty() || joining_; });
    if (work_.empty()) return;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    --idle_;
    note_length();
    lock.unlock();
    work();
    lock.lock();
    ++idle_;
    note_length();
  }
}

}  // namespace lamina::server
