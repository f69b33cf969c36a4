#include "lifecycle.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>

namespace lamina::server {
namespace {

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

SignalWatcher::SignalWatcher(std::function<void()> on_stop)
    : on_stop_(std::move(on_stop)) {
  signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  finish_ = eventfd(0, EFD_CLOEXEC);
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
  bool stopping = false;
  std::array<pollfd, 2> waited = {
      {{signals_, POLLIN, 0}, {finish_, POLLIN, 0}}};
  for (;;) {
    if (poll(waited.data(), waited.size(), -1) < 0) continue;  // EINTR
    if (waited[1].revents != 0) return;
    signalfd_siginfo came{};
    if (read(signals_, &came, sizeof came) != sizeof came) continue;
    if (stopping) _exit(128 + static_cast<int>(came.ssi_signo));
    stopping = true;
    on_stop_();
  }
}

}  // namespace lamina::server
