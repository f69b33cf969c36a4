#include "upkeep.h"

#include <utility>

namespace lamina {

Upkeep::~Upkeep() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Upkeep::post(Task task) {
  if (on_thread_) {
    post_after(std::chrono::milliseconds(0), std::move(task));
  } else {
    task();
  }
}

void Upkeep::post_after(std::chrono::milliseconds delay, Task task) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  tasks_.emplace(Clock::now() + delay, std::move(task));
  changed_.notify_one();
}

void Upkeep::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (!is_due()) {
      idle_.notify_all();
      if (tasks_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, tasks_.begin()->first);
      }
      continue;
    }
    {
      const Task task = std::move(tasks_.begin()->second);
      tasks_.erase(tasks_.begin());
      running_ = true;
      lock.unlock();
      task();
    }
    lock.lock();
    running_ = false;
  }
}

void Upkeep::wait_until_idle(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  idle_.wait_for(lock, most, [&] { return stop_ || (!running_ && !is_due()); });
}

}  // namespace lamina
