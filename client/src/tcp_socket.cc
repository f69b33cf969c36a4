#include "tcp_socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

namespace lamina::client {
namespace {

// How long a recv() may block before the deadline is looked at again. Setting
// it once per connection saves a poll() per reply: a blocking recv() is the
// only system call, unless the deadline is nearer than this.
constexpr std::chrono::milliseconds kReceiveSlice{100};

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

std::string describe(int error) {
  return std::generic_category().message(error);
}

// Waits for `events`; false when the deadline passes first.
bool wait_until_ready(int descriptor, short events, Deadline deadline) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd entry{descriptor, events, 0};
    constexpr std::chrono::milliseconds kLongest{60'000};  // Fits an int.
    const int ready =
        ::poll(&entry, 1, static_cast<int>(std::min(left, kLongest).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // The next call will tell.
  }
}

Result<Addresses> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int error =
      ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error != 0) {
    return Status::unavailable("cannot look up the host: " +
                               std::string(::gai_strerror(error)));
  }
  return Addresses(list);
}

// Blocking from here on, each recv() for one slice at most.
void prepare_for_exchanges(int descriptor) {
  ::fcntl(descriptor, F_SETFL, 0);
  const timeval slice{
      .tv_sec = 0, .tv_usec = std::chrono::microseconds(kReceiveSlice).count()};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice);
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// 0, or an errno; ETIMEDOUT when the deadline passed.
int finish_connecting(int descriptor, Deadline deadline) {
  if (!wait_until_ready(descriptor, POLLOUT, deadline)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

}  // namespace

Result<TcpSocket> TcpSocket::connect(const std::string& host,
                                     std::uint16_t port, Deadline deadline) {
  Result<Addresses> addresses = resolve(host, port);
  if (!addresses.ok()) return addresses.status();

  int untried = 0;
  for (const addrinfo* a = addresses->get(); a != nullptr; a = a->ai_next) {
    ++untried;
  }
  int error = 0;
  for (const addrinfo* a = addresses->get(); a != nullptr; a = a->ai_next) {
    const auto now = Clock::now();
    const Deadline share = now + (deadline - now) / untried--;
    TcpSocket socket(
        ::socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    error = 0;
    if (socket.descriptor_ < 0 ||
        ::connect(socket.descriptor_, a->ai_addr, a->ai_addrlen) != 0) {
      error = errno;
    }
    if (error == EINPROGRESS) {
      error = finish_connecting(socket.descriptor_, share);
    }
    if (error == 0) {
      prepare_for_exchanges(socket.descriptor_);
      return socket;
    }
  }
  if (error == ETIMEDOUT) {
    return Status::deadline_exceeded("no answer to a connection attempt");
  }
  return Status::unavailable("cannot connect: " + describe(error));
}

TcpSocket::TcpSocket(TcpSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

TcpSocket& TcpSocket::operator=(TcpSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

TcpSocket::~TcpSocket() { close(); }

void TcpSocket::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

TcpSocket::Transfer TcpSocket::send(std::string_view head,
                                    std::string_view body, Deadline deadline) {
  const std::size_t total = head.size() + body.size();
  std::size_t sent = 0;
  while (sent < total) {
    const std::string_view head_left = head.substr(std::min(sent, head.size()));
    const std::string_view body_left =
        body.substr(sent - (head.size() - head_left.size()));
    std::array<iovec, 2> parts{
        iovec{const_cast<char*>(head_left.data()), head_left.size()},
        iovec{const_cast<char*>(body_left.data()), body_left.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t count =
        ::sendmsg(descriptor_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      if (!wait_until_ready(descriptor_, POLLOUT, deadline)) {
        return {.bytes = sent, .error = ETIMEDOUT};
      }
    } else if (errno != EINTR) {
      return {.bytes = sent, .error = errno};
    }
  }
  return {.bytes = sent};
}

TcpSocket::Transfer TcpSocket::receive(char* data, std::size_t size,
                                       Deadline deadline) {
  for (;;) {
    const auto left = deadline - Clock::now();
    if (left < kReceiveSlice &&
        !wait_until_ready(descriptor_, POLLIN, deadline)) {
      return {.error = ETIMEDOUT};
    }
    const ssize_t count = ::recv(descriptor_, data, size, 0);
    if (count >= 0) return {.bytes = static_cast<std::size_t>(count)};
    if (errno != EAGAIN && errno != EINTR) return {.error = errno};
  }
}

bool TcpSocket::is_quiet() const {
  char next = 0;
  return ::recv(descriptor_, &next, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         errno == EAGAIN;
}

}  // namespace lamina::client
