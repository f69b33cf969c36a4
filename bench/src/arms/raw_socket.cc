#include "arms/raw_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace lamina::bench {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

Status failed(const char* call) {
  return Status::unavailable(std::string(call) + ": " + std::strerror(errno));
}

}  // namespace

std::size_t head_length(std::string_view bytes) {
  const auto end = bytes.find(kHeadEnd);
  return end == std::string_view::npos ? 0 : end + kHeadEnd.size();
}

std::size_t content_length(std::string_view head) {
  constexpr std::string_view kName = "\r\ncontent-length:";
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;
       at = head.find("\r\n", at + 2)) {
    const std::string_view line = head.substr(at);
    if (line.size() < kName.size() ||
        strncasecmp(line.data(), kName.data(), kName.size()) != 0)
      continue;
    const auto digits = line.find_first_not_of(' ', kName.size());
    std::size_t length = 0;
    if (digits != std::string_view::npos)
      std::from_chars(line.data() + digits, line.data() + line.size(), length);
    return length;
  }
  return 0;
}

std::string encode_request(std::string_view method, std::string_view path,
                           std::string_view body, std::string_view content_type,
                           std::string_view accept) {
  std::string request;
  request.append(method).append(" ").append(path).append(" HTTP/1.1\r\n");
  request.append("Host: 127.0.0.1\r\n");
  if (!accept.empty()) {
    request.append("Accept: ").append(accept).append("\r\n");
  }
  if (!body.empty()) {
    request.append("Content-Type: ").append(content_type);
    request.append("\r\nContent-Length: ");
    request.append(std::to_string(body.size())).append("\r\n");
  }
  return request.append("\r\n").append(body);
}

Result<RawSocket> RawSocket::connect(int port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return failed("socket");
  RawSocket connection(descriptor);

  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address),
                sizeof address) != 0)
    return failed("connect");

  const int on = 1;
  const timeval patience{10, 0};
  if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
                 sizeof patience) != 0)
    return failed("setsockopt");
  return connection;
}

RawSocket::RawSocket(RawSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

RawSocket::~RawSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status RawSocket::exchange(std::string_view request, std::string* message) {
  const ssize_t sent =
      send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL);
  if (sent < 0 || static_cast<std::size_t>(sent) != request.size())
    return failed("send");

  char buffer[16384];
  message->clear();
  std::size_t expected = 0;  // Unknown until the head is there.
  while (expected == 0 || message->size() < expected) {
    const ssize_t got = recv(descriptor_, buffer, sizeof buffer, 0);
    if (got == 0) return Status::unavailable("the server closed");
    if (got < 0) return failed("recv");
    message->append(buffer, static_cast<std::size_t>(got));
    if (expected != 0) continue;
    if (const std::size_t head = head_length(*message); head != 0)
      expected =
          head + content_length(std::string_view(*message).substr(0, head));
  }
  return {};
}

}  // namespace lamina::bench
