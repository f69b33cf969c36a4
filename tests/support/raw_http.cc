#include "support/raw_http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace lamina::test {
namespace {

using Clock = std::chrono::steady_clock;

template <class Number>
bool read_number(std::string_view text, Number* number) {
  return std::from_chars(text.data(), text.data() + text.size(), *number).ec ==
         std::errc();
}

}  // namespace

std::string RawReply::header(std::string_view name) const {
  std::size_t at = head.find("\r\n");
  while (at != std::string::npos && at + 2 < head.size()) {
    const std::size_t begin = at + 2;
    at = head.find("\r\n", begin);
    const std::string_view line =
        std::string_view(head).substr(begin, at - begin);
    if (line.size() > name.size() && line[name.size()] == ':' &&
        strncasecmp(line.data(), name.data(), name.size()) == 0) {
      const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
      return std::string(value == std::string_view::npos ? ""
                                                         : line.substr(value));
    }
  }
  return {};
}

Result<RawConnection> RawConnection::open(std::uint16_t port) {
  RawConnection connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection.fd_, reinterpret_cast<const sockaddr*>(&address),
              sizeof address) != 0) {
    return Status::unavailable(std::strerror(errno));
  }
  const int on = 1;
  setsockopt(connection.fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connection;
}

Result<RawConnection> RawConnection::open_unix(const std::string& path) {
  RawConnection connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (connect(connection.fd_, reinterpret_cast<const sockaddr*>(&address),
              sizeof address) != 0) {
    return Status::unavailable(std::strerror(errno));
  }
  return connection;
}

RawConnection::RawConnection(RawConnection&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      patience_(other.patience_),
      received_(std::move(other.received_)) {}

RawConnection::~RawConnection() {
  if (fd_ >= 0) close(fd_);
}

Status RawConnection::send(std::string_view bytes) {
  const Clock::time_point deadline = Clock::now() + patience_;
  while (!bytes.empty()) {
    const ssize_t sent =
        ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno != EAGAIN) return Status::unavailable(std::strerror(errno));
    if (Clock::now() > deadline) return Status::deadline_exceeded("send");
    pollfd writable{fd_, POLLOUT, 0};
    poll(&writable, 1, 100);
  }
  return {};
}

Result<RawReply> RawConnection::read_reply(bool after_head) {
  std::size_t head_size = std::string::npos;
  std::size_t body_size = 0;
  RawReply reply;
  for (;;) {
    if (head_size == std::string::npos &&
        received_.find("\r\n\r\n") != std::string::npos) {
      head_size = received_.find("\r\n\r\n") + 4;
      reply.head = received_.substr(0, head_size);
      if (!reply.head.starts_with("HTTP/1.1 ") ||
          !read_number(std::string_view(reply.head).substr(9), &reply.status)) {
        return Status::internal("not HTTP: " + reply.head);
      }
      const std::string length = reply.header("Content-Length");
      if (!length.empty() && !read_number(length, &body_size)) {
        return Status::internal("bad length: " + reply.head);
      }
      if (after_head) body_size = 0;
    }
    if (head_size != std::string::npos &&
        received_.size() >= head_size + body_size) {
      reply.body = received_.substr(head_size, body_size);
      received_.erase(0, head_size + body_size);
      return reply;
    }
    Result<std::size_t> count = receive();
    if (!count.ok()) return count.status();
    if (*count == 0) {
      return received_.empty() ? Status::unavailable("closed")
                               : Status::internal("cut short: " + received_);
    }
  }
}

Result<RawReply> RawConnection::call(std::string_view bytes) {
  const Status sent = send(bytes);
  if (!sent.ok()) return sent;
  return read_reply();
}

Status RawConnection::expect_close() {
  if (received_.empty()) {
    Result<std::size_t> count = receive();
    if (!count.ok()) return count.status();
    if (*count == 0) return {};
  }
  return Status::internal("more bytes: " + received_);
}

void RawConnection::finish_sending() { shutdown(fd_, SHUT_WR); }

Result<std::size_t> RawConnection::receive() {
  pollfd readable{fd_, POLLIN, 0};
  if (poll(&readable, 1, static_cast<int>(patience_.count())) <= 0) {
    return Status::deadline_exceeded("no bytes came");
  }
  std::array<char, 16384> bytes;
  const ssize_t count = recv(fd_, bytes.data(), bytes.size(), 0);
  if (count < 0) return Status::unavailable(std::strerror(errno));
  received_.append(bytes.data(), static_cast<std::size_t>(count));
  return static_cast<std::size_t>(count);
}

std::string raw_request(std::string_view method, std::string_view target,
                        std::string_view body, std::string_view headers) {
  std::string request;
  request.append(method).append(" ").append(target);
  request.append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n").append(headers);
  if (!body.empty()) {
    request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return request.append("\r\n").append(body);
}

}  // namespace lamina::test
