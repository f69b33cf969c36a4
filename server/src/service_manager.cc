#include "service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace lamina::server {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// It may be meant for the process that started this one.
bool watchdog_is_ours() {
  const std::string pid = variable("WATCHDOG_PID");
  return pid.empty() || pid == std::to_string(getpid());
}

}  // namespace

ServiceManager::ServiceManager() : address_(variable("NOTIFY_SOCKET")) {
  const bool known = address_.starts_with('/') || address_.starts_with('@');
  if (!known || address_.size() >= sizeof(sockaddr_un::sun_path)) {
    address_.clear();
    return;
  }
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (!watchdog_is_ours()) return;
  const std::string limit = variable("WATCHDOG_USEC");
  watchdog_interval_ = std::chrono::milliseconds(
      std::strtoull(limit.c_str(), nullptr, 10) / 2000);
}

ServiceManager::~ServiceManager() {
  if (socket_ >= 0) close(socket_);
}

void ServiceManager::notify(std::string_view state) const {
  if (socket_ < 0) return;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::copy(address_.begin(), address_.end(), to.sun_path);
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
  const std::size_t size = offsetof(sockaddr_un, sun_path) + address_.size();
  // Nothing can be done when it does not listen.
  [[maybe_unused]] const ssize_t ignored = sendto(
      socket_, state.data(), state.size(), MSG_NOSIGNAL,
      reinterpret_cast<const sockaddr*>(&to), static_cast<socklen_t>(size));
}

}  // namespace lamina::server
