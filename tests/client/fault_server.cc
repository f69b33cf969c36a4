#include "fault_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "protocol/collection_json.h"
#include "protocol/points_json.h"

namespace lamina::test {
namespace {

void require(bool held, const char* what) {
  if (held) return;
  std::perror(what);
  std::abort();
}

// A socket bound to a free port of 127.0.0.1.
int bind_any(std::uint16_t* port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  require(descriptor >= 0, "socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  require(::bind(descriptor, generic, size) == 0, "bind");
  require(::getsockname(descriptor, generic, &size) == 0, "getsockname");
  *port = ntohs(address.sin_port);
  return descriptor;
}

std::size_t content_length(std::string_view head) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t at = head.find(kName);
  std::size_t length = 0;
  if (at != head.npos) {
    std::from_chars(head.data() + at + kName.size(), head.data() + head.size(),
                    length);
  }
  return length;
}

}  // namespace

Peer::~Peer() { close(); }

bool Peer::receive() {
  std::array<char, 65536> part;
  const ssize_t count = ::recv(descriptor_, part.data(), part.size(), 0);
  if (count <= 0) return false;
  received_.append(part.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> Peer::read_request() {
  std::size_t head_end = 0;
  while ((head_end = received_.find("\r\n\r\n")) == received_.npos) {
    if (!receive()) return std::nullopt;
  }
  const std::string_view head(received_.data(), head_end + 4);
  const std::size_t size = head.size() + content_length(head);
  while (received_.size() < size) {
    if (!receive()) return std::nullopt;
  }
  std::string request = received_.substr(0, size);
  received_.erase(0, size);
  return request;
}

void Peer::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Peer::wait_for_close() {
  while (receive()) received_.clear();
}

void Peer::finish_sending() { ::shutdown(descriptor_, SHUT_WR); }

void Peer::close_by_reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

void Peer::shut_down() { ::shutdown(descriptor_, SHUT_RDWR); }

void Peer::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

FaultServer::FaultServer(Script script) : script_(std::move(script)) {
  listener_ = bind_any(&port_);
  require(::listen(listener_, 128) == 0, "listen");
  acceptor_ = std::thread([this] { accept_all(); });
}

FaultServer::~FaultServer() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    for (Running& running : running_) running.peer.shut_down();
  }
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (Running& running : running_) running.thread.join();
  ::close(listener_);
}

std::string FaultServer::url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

void FaultServer::accept_all() {
  for (;;) {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    ++connection_count_;
    const std::lock_guard lock(mutex_);
    join_finished();
    Running& running = running_.emplace_back(descriptor);
    if (is_stopping_) running.peer.shut_down();
    running.thread = std::thread([this, &running] {
      script_(running.peer);
      const std::lock_guard done(mutex_);
      running.peer.close();
      running.is_done = true;
    });
  }
}

// With mutex_ held.
void FaultServer::join_finished() {
  running_.remove_if([](Running& running) {
    if (!running.is_done) return false;
    running.thread.join();
    return true;
  });
}

std::string http_reply(int status, std::string_view body,
                       std::string_view headers) {
  return "HTTP/1.1 " + std::to_string(status) +
         " Any\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + std::string(headers) + "\r\n" +
         std::string(body);
}

std::string right_answer(std::string_view request) {
  if (request.starts_with("PUT ")) {
    return http_reply(200, protocol::encode_bool_reply(true, 0.0));
  }
  constexpr std::string_view kPoints = "/points/";
  const std::size_t at = request.find(kPoints);
  if (at == request.npos) {
    const std::vector<std::string> names{"a"};
    return http_reply(200, protocol::encode_collection_list_reply(names, 0.0));
  }
  Record record;
  std::uint64_t id = 0;
  std::from_chars(request.data() + at + kPoints.size(),
                  request.data() + request.size(), id);
  record.id = id;
  return http_reply(200, protocol::encode_record_reply(record, 0.0));
}

void answer_rightly(Peer& peer) {
  while (const std::optional<std::string> request = peer.read_request()) {
    peer.send(right_answer(*request));
  }
}

std::uint16_t unused_port() {
  std::uint16_t port = 0;
  ::close(bind_any(&port));
  return port;
}

}  // namespace lamina::test
