#include "lifecycle.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace lamina::server {
namespace {

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

void block_signals() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

SignalWatcher::SignalWatcher(LifecycleActions actions)
    : actions_(std::move(actions)) {
  signal(SIGPIPE, SIG_IGN);
  block_signals();
  const sigset_t signals = watched_signals();
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  finish_ = eventfd(0, EFD_CLOEXEC);
  if (actions_.beat_interval.count() > 0) beat_at_ = Clock::now();
  thread_ = std::thread([this] { watch(); });
}

SignalWatcher::~SignalWatcher() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = write(finish_, &one, sizeof one);
  thread_.join();
  close(signals_);
  close(finish_);
}

void SignalWatcher::watch() {
  std::array<pollfd, 2> waited = {
      {{signals_, POLLIN, 0}, {finish_, POLLIN, 0}}};
  for (;;) {
    do_what_is_due();
    // Below 0: interrupted.
    if (poll(waited.data(), waited.size(), milliseconds_to_wait()) < 0) {
      continue;
    }
    if (waited[1].revents != 0) return;
    if (waited[0].revents != 0) take_signal();
  }
}

void SignalWatcher::take_signal() {
  signalfd_siginfo came{};
  if (read(signals_, &came, sizeof came) != sizeof came) return;
  if (came.ssi_signo == SIGHUP) {
    actions_.reload();
  } else {
    end(static_cast<int>(came.ssi_signo));
  }
}

void SignalWatcher::end(int signal) {
  if (phase_ == Phase::stopping) _exit(128 + signal);
  if (phase_ == Phase::draining) {
    stop_at_ = Clock::now();
    return;
  }
  phase_ = Phase::draining;
  stop_at_ = Clock::now() + actions_.stop_delay;
  actions_.drain();
}

void SignalWatcher::do_what_is_due() {
  const Clock::time_point now = Clock::now();
  if (now >= beat_at_) {
    beat_at_ = now + actions_.beat_interval;
    actions_.beat();
  }
  if (now >= stop_at_ && phase_ == Phase::draining) {
    phase_ = Phase::stopping;
    stop_at_ = Clock::time_point::max();
    actions_.stop();
  }
}

// As poll() takes it: -1 for ever.
int SignalWatcher::milliseconds_to_wait() const {
  const Clock::time_point next = std::min(stop_at_, beat_at_);
  if (next == Clock::time_point::max()) return -1;
  const auto wait =
      std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(wait.count(), 0, 60'000));
}

}  // namespace lamina::server
