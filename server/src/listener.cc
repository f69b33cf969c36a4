#include "listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace lamina::server {
namespace {

// Connections that wait to be accepted: clients that open one per request
// overrun a short queue.
constexpr int kBacklog = 1024;

constexpr int kKind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

Status cannot_listen(const std::string& where, const std::string& why) {
  return Status::unavailable("cannot listen on " + where + ": " + why);
}

std::uint16_t bound_port(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  // Both have the port at the same place, in the same order of bytes.
  static_assert(offsetof(sockaddr_in, sin_port) ==
                offsetof(sockaddr_in6, sin6_port));
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

Descriptor bind_to(const addrinfo& address) {
  Descriptor socket(::socket(address.ai_family, kKind, address.ai_protocol));
  if (socket.get() < 0) return {};
  // Not SO_REUSEPORT: with it a second server on the same port starts without
  // an error and takes half of the connections.
  const int on = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const bool listens =
      bind(socket.get(), address.ai_addr, address.ai_addrlen) == 0 &&
      listen(socket.get(), kBacklog) == 0;
  return listens ? std::move(socket) : Descriptor();
}

bool somebody_listens(const sockaddr_un& address) {
  const Descriptor probe(socket(AF_UNIX, kKind, 0));
  return connect(probe.get(), reinterpret_cast<const sockaddr*>(&address),
                 sizeof address) == 0 ||
         errno != ECONNREFUSED;
}

Status remove_stale(const std::string& path, const sockaddr_un& address) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) {
    return cannot_listen(path, "the file that is there is no socket");
  }
  if (somebody_listens(address)) return cannot_listen(path, "it is in use");
  unlink(path.c_str());
  return {};
}

}  // namespace

Result<Listener> listen_on_tcp(const std::string& host, std::uint16_t port) {
  const std::string where = host + ":" + std::to_string(port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure =
      getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) return cannot_listen(where, gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(
      found, &freeaddrinfo);
  for (const addrinfo* address = found; address; address = address->ai_next) {
    Descriptor socket = bind_to(*address);
    if (socket.get() < 0) continue;
    const std::uint16_t bound = bound_port(socket.get());
    return Listener{std::move(socket), bound};
  }
  return cannot_listen(where, std::strerror(errno));
}

Result<Listener> listen_on_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Status::invalid_argument(
        "the path of a UNIX socket has 1 to " +
        std::to_string(sizeof address.sun_path - 1) + " bytes");
  }
  path.copy(address.sun_path, path.size());
  if (Status status = remove_stale(path, address); !status.ok()) return status;
  Descriptor socket(::socket(AF_UNIX, kKind, 0));
  // Nobody can connect before listen(): by then only the owner may.
  const bool listens =
      socket.get() >= 0 &&
      bind(socket.get(), reinterpret_cast<const sockaddr*>(&address),
           sizeof address) == 0 &&
      chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0 &&
      listen(socket.get(), kBacklog) == 0;
  if (!listens) return cannot_listen(path, std::strerror(errno));
  return Listener{std::move(socket), 0};
}

}  // namespace lamina::server
