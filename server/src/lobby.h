#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "descriptor.h"

namespace lamina::server {

// Where connections are while they wait for their client: one epoll for all of
// them. They cost no thread and no wake-up there, until their socket is ready
// or their deadline has come.
//
// One thread calls watch(), wait() and close(); all other calls may come from
// any thread.
class Lobby {
 public:
  using Clock = std::chrono::steady_clock;

  // What waits: owns its socket.
  class Guest {
   public:
    explicit Guest(Descriptor socket) : socket_(std::move(socket)) {}
    virtual ~Guest() = default;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    int socket() const { return socket_.get(); }

   private:
    friend class Lobby;
    const Descriptor socket_;
    bool known_ = false;  // To the epoll.
    Clock::time_point deadline_;
  };

  enum class Awaited { readable, writable };

  // What ended a wait.
  struct Woken {
    std::vector<std::unique_ptr<Guest>> guests;
    std::vector<int> listeners;  // That have something to accept.
  };

  Lobby();
  Lobby(const Lobby&) = delete;
  Lobby& operator=(const Lobby&) = delete;

  // False when the system gave no descriptors; nothing else may be called then.
  bool is_open() const { return epoll_.get() >= 0 && wake_.get() >= 0; }

  // From now on wait() tells when `listener` is readable. False on failure.
  bool watch(int listener);
  void unwatch(int listener);

  // Takes the guest until its socket is ready or `deadline` has come. False,
  // with the guest left where it is, when the lobby is closed or the system
  // has no room.
  bool park(std::unique_ptr<Guest>* guest, Awaited awaited,
            Clock::time_point deadline);

  // As park(), also when the lobby is closed.
  bool park_late(std::unique_ptr<Guest>* guest, Awaited awaited,
                 Clock::time_point deadline);

  // Waits for guests that are to be served, or for wake().
  void wait(Woken* woken);

  // Ends wait() soon.
  void wake();

  // Hands back every guest. From now on only park_late() takes some.
  void close(Woken* woken);

 private:
  bool add_descriptor(int fd);
  bool add(std::unique_ptr<Guest>* guest, Awaited awaited,
           Clock::time_point deadline);
  int patience_ms();
  void take(int socket, Woken* woken);
  void take_late(Woken* woken);

  const Descriptor epoll_;
  const Descriptor wake_;
  std::set<int> listeners_;

  std::mutex mutex_;
  bool closed_ = false;
  std::unordered_map<int, std::unique_ptr<Guest>> guests_;  // By socket.
  std::set<std::pair<Clock::time_point, int>> deadlines_;
  // When wait() will end by itself. Not later than the first deadline, but
  // earlier at times: a wait is not made longer when a guest has gone.
  Clock::time_point wakes_at_ = Clock::time_point::max();
};

}  // namespace lamina::server
