#include "arms/stub.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "arms/raw_socket.h"

namespace lamina::bench {
namespace {

constexpr int kBacklog = 64;
constexpr std::size_t kReadBytes = 65536;

Status failed(const char* call) {
  return Status::unavailable(std::string(call) + ": " + std::strerror(errno));
}

class Stub {
 public:
  explicit Stub(RawSocket upstream) : upstream_(std::move(upstream)) {}

  // Takes a free port and prints it.
  Status listen();
  // Returns only when something fails.
  Status serve();

 private:
  Status accept_one();
  void drop(int connection);
  // Reads what has arrived; answers each whole request. False: drop it.
  bool advance(int connection);
  bool answer(int connection, std::string_view request);

  RawSocket upstream_;
  int listener_ = -1;
  int epoll_ = -1;
  std::map<int, std::string> pending_;  // Bytes read, by connection
  std::map<std::string, std::string, std::less<>> recorded_;
};

Status Stub::listen() {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (listener_ < 0 ||
      bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::listen(listener_, kBacklog) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) !=
          0)
    return failed("listen");

  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener_;
  if (epoll_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, listener_, &event) != 0)
    return failed("epoll");
  std::printf("listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return {};
}

Status Stub::accept_one() {
  const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) return failed("accept");
  const int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = connection;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection, &event) != 0)
    return failed("epoll_ctl");
  pending_[connection].reserve(kReadBytes);
  return {};
}

void Stub::drop(int connection) {
  pending_.erase(connection);
  close(connection);
}

bool Stub::advance(int connection) {
  char buffer[kReadBytes];
  const ssize_t got = recv(connection, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  std::string& bytes = pending_[connection];
  bytes.append(buffer, static_cast<std::size_t>(got));

  while (const std::size_t head = head_length(bytes)) {
    const std::string_view all = bytes;
    const std::size_t length = head + content_length(all.substr(0, head));
    if (bytes.size() < length) return true;
    if (!answer(connection, all.substr(0, length))) return false;
    bytes.erase(0, length);
  }
  return true;
}

bool Stub::answer(int connection, std::string_view request) {
  const std::string_view route = request.substr(0, request.find(" HTTP/1."));
  auto reply = recorded_.find(route);
  if (reply == recorded_.end()) {
    const std::string_view head = request.substr(0, head_length(request));
    if (head.find("\r\nExpect:") != std::string_view::npos ||
        head.find("\r\nTransfer-Encoding:") != std::string_view::npos)
      return false;
    std::string message;
    if (!upstream_.exchange(request, &message).ok()) return false;
    reply = recorded_.emplace(route, std::move(message)).first;
  }
  const ssize_t sent = send(connection, reply->second.data(),
                            reply->second.size(), MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(reply->second.size());
}

Status Stub::serve() {
  while (true) {
    epoll_event ready[16];
    const int count = epoll_wait(epoll_, ready, 16, -1);
    if (count < 0 && errno != EINTR) return failed("epoll_wait");
    for (int i = 0; i < count; ++i) {
      const int descriptor = ready[i].data.fd;
      if (descriptor == listener_) {
        if (Status accepted = accept_one(); !accepted.ok()) return accepted;
      } else if (!advance(descriptor)) {
        drop(descriptor);
      }
    }
  }
}

}  // namespace

Status run_stub(int upstream_port) {
  Result<RawSocket> upstream = RawSocket::connect(upstream_port);
  if (!upstream.ok()) return upstream.status();
  Stub stub(*std::move(upstream));
  if (Status listening = stub.listen(); !listening.ok()) return listening;
  return stub.serve();
}

}  // namespace lamina::bench
