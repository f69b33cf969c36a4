#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace lamina::server {

// Tells systemd, or whatever has set NOTIFY_SOCKET in the same way, how the
// server is. Does nothing when there is none.
//
// The protocol is one datagram to a socket whose name is in the environment, so
// that its library would be more code to trust than what it does.
//
// Thread safety: all calls may run concurrently.
class ServiceManager {
 public:
  // Reads NOTIFY_SOCKET and WATCHDOG_USEC.
  ServiceManager();
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  // "READY=1", "STOPPING=1", "WATCHDOG=1"; several with '\n' between them.
  void notify(std::string_view state) const;

  // How often "WATCHDOG=1" is to be said: twice in the time after which the
  // server counts as stuck. 0 when it is not waited for.
  std::chrono::milliseconds watchdog_interval() const {
    return watchdog_interval_;
  }

 private:
  std::string address_;  // A path, or '@' and an abstract name; or empty.
  std::chrono::milliseconds watchdog_interval_{0};
  int socket_ = -1;
};

}  // namespace lamina::server
