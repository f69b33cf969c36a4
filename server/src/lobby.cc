#include "lobby.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lamina::server {
namespace {

constexpr std::size_t kEventsAtOnce = 64;

}  // namespace

Lobby::Lobby()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (is_open()) add_descriptor(wake_.get());
}

bool Lobby::watch(int listener) {
  listeners_.insert(listener);
  return add_descriptor(listener);
}

bool Lobby::add_descriptor(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void Lobby::unwatch(int listener) {
  listeners_.erase(listener);
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener, nullptr);
}

bool Lobby::park(std::unique_ptr<Guest>* guest, Awaited awaited,
                 Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  return !closed_ && add(guest, awaited, deadline);
}

bool Lobby::park_late(std::unique_ptr<Guest>* guest, Awaited awaited,
                      Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  return add(guest, awaited, deadline);
}

// With the mutex held: an event may come as soon as the epoll knows the socket,
// and take() must find the guest then.
bool Lobby::add(std::unique_ptr<Guest>* guest, Awaited awaited,
                Clock::time_point deadline) {
  Guest& added = **guest;
  const int socket = added.socket();
  epoll_event event{};
  event.events = EPOLLONESHOT;
  event.events |= awaited == Awaited::readable ? EPOLLIN : EPOLLOUT;
  event.data.fd = socket;
  const int operation = added.known_ ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  const auto timed = deadlines_.emplace(deadline, socket).first;
  std::unique_ptr<Guest>& place = guests_[socket];
  if (epoll_ctl(epoll_.get(), operation, socket, &event) != 0) {
    deadlines_.erase(timed);
    guests_.erase(socket);
    return false;
  }
  added.known_ = true;
  added.deadline_ = deadline;
  place = std::move(*guest);
  if (deadline < wakes_at_) wake();
  return true;
}

void Lobby::wait(Woken* woken) {
  std::array<epoll_event, kEventsAtOnce> events;
  const int count =
      epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, patience_ms());
  const std::lock_guard lock(mutex_);
  for (int i = 0; i < count; ++i) {
    take(events[static_cast<std::size_t>(i)].data.fd, woken);
  }
  take_late(woken);
}

int Lobby::patience_ms() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (wakes_at_ <= now) wakes_at_ = Clock::time_point::max();
  if (!deadlines_.empty()) {
    wakes_at_ = std::min(wakes_at_, deadlines_.begin()->first);
  }
  if (wakes_at_ == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      std::max(wakes_at_ - now, Clock::duration::zero()));
  return static_cast<int>(
      std::min<std::int64_t>(left.count(), std::numeric_limits<int>::max()));
}

void Lobby::take(int socket, Woken* woken) {
  if (socket == wake_.get()) {
    eventfd_t ignored = 0;
    eventfd_read(socket, &ignored);
    return;
  }
  const auto found = guests_.find(socket);
  if (found == guests_.end()) {
    // Or a guest that was taken at its deadline just before.
    if (listeners_.contains(socket)) woken->listeners.push_back(socket);
    return;
  }
  deadlines_.erase({found->second->deadline_, socket});
  woken->guests.push_back(std::move(found->second));
  guests_.erase(found);
}

void Lobby::take_late(Woken* woken) {
  if (deadlines_.empty()) return;
  const Clock::time_point now = Clock::now();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const int socket = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    take(socket, woken);
  }
}

void Lobby::wake() { eventfd_write(wake_.get(), 1); }

void Lobby::close(Woken* woken) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  while (!guests_.empty()) take(guests_.begin()->first, woken);
}

}  // namespace lamina::server
