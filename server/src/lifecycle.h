#pragma once

#include <functional>
#include <thread>

namespace lamina::server {

// Turns SIGTERM and SIGINT into a call, in a thread of its own where anything
// may be done. The second signal does not wait any longer: it ends the process
// at once, with exit code 128 + its number; what was acknowledged is in the
// log. SIGPIPE is ignored.
//
// Make it before any other thread: threads made later inherit that the signals
// are blocked. One in a process.
class SignalWatcher {
 public:
  explicit SignalWatcher(std::function<void()> on_stop);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  void watch();

  const std::function<void()> on_stop_;
  int signals_ = -1;  // Readable when a signal came.
  int finish_ = -1;   // Readable when the watcher is destroyed.
  std::thread thread_;
};

}  // namespace lamina::server
