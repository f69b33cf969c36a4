#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace lamina::server {

// Keeps the signals that SignalWatcher takes away from this thread and all that
// it makes later: one that took them would end the process. They wait until
// there is a watcher.
void block_signals();

// What is done when a signal comes, or when it is time. All are called in one
// thread, where anything may be done.
struct LifecycleActions {
  // The first SIGTERM or SIGINT: no more work should be sent here.
  std::function<void()> drain;
  // `stop_delay` later, or at the second signal.
  std::function<void()> stop;
  // SIGHUP.
  std::function<void()> reload;
  // Every `beat_interval`; 0: never.
  std::function<void()> beat;
  std::chrono::milliseconds stop_delay{0};
  std::chrono::milliseconds beat_interval{0};
};

// Turns signals into calls. A signal to end that comes once stop was called
// does not wait any longer: it ends the process at once, with exit code 128 +
// its number; what was acknowledged is in the log. SIGPIPE is ignored.
//
// Call block_signals() before the first other thread is made. One in a process.
class SignalWatcher {
 public:
  explicit SignalWatcher(LifecycleActions actions);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase { serving, draining, stopping };

  void watch();
  void take_signal();
  void end(int signal);
  void do_what_is_due();
  int milliseconds_to_wait() const;

  const LifecycleActions actions_;
  Phase phase_ = Phase::serving;
  Clock::time_point stop_at_ = Clock::time_point::max();
  Clock::time_point beat_at_ = Clock::time_point::max();
  int signals_ = -1;  // Readable when a signal came.
  int finish_ = -1;   // Readable when the watcher is destroyed.
  std::thread thread_;
};

}  // namespace lamina::server
