#include "bounded_stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "protocol/http_error.h"
#include "protocol/paths.h"
#include "server_name.h"

namespace lamina::server {
namespace {

// Room for a head, and for a typical request whole: one recv.
constexpr std::size_t kBufferBytes = 64u << 10;
static_assert(kBufferBytes > kMaxHeadBytes);

// A response buffer that grew beyond this is given back after the response.
constexpr std::size_t kKeptResponseBytes = 1u << 20;

// Memory for a body grows with the bytes that came, not with those announced.
constexpr std::size_t kBodyStepBytes = 1u << 20;

constexpr std::string_view kLibraryHead = "GET / HTTP/1.1\r\n\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

constexpr Refusal kLateHead{408, "Timeout error: the request head is too slow"};
constexpr Refusal kLateBody{408, "Timeout error: the request body is too slow"};

std::string_view reason_phrase(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Refused";
  }
}

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

}  // namespace

BoundedStream::BoundedStream(int socket, int stop_event,
                             const Deadlines& deadlines)
    : socket_(socket),
      stop_event_(stop_event),
      deadlines_(deadlines),
      buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {
  // Without it the last part of a response waits for the client's delayed
  // acknowledgement, 40 ms.
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

BoundedStream::Received BoundedStream::receive() {
  make_room();
  library_read_ = 0;
  body_.clear();
  if (begin_ == end_ && !wait_for_request()) return Received::closed;
  const Received received = receive_head();
  if (received != Received::request) return received;
  return receive_body();
}

// Moves what was sent ahead to the front when a head might not fit behind it.
void BoundedStream::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (kBufferBytes - begin_ > kMaxHeadBytes) return;
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
}

// Sleeps until there are bytes or the server stops: no wake-up in between.
bool BoundedStream::wait_for_request() {
  std::array<pollfd, 2> waited = {
      {{socket_, POLLIN, 0}, {stop_event_, POLLIN, 0}}};
  const Clock::time_point deadline = Clock::now() + deadlines_.idle;
  int ready = 0;
  do {
    ready = poll(waited.data(), waited.size(), milliseconds_until(deadline));
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && waited[0].revents != 0;
}

BoundedStream::Received BoundedStream::receive_head() {
  const Clock::time_point deadline = Clock::now() + deadlines_.head;
  HeadScanner scanner;
  for (;;) {
    if (const auto refusal = scanner.scan(buffered())) {
      refuse(*refusal);
      return Received::refused;
    }
    if (scanner.head_bytes() > 0) break;

    std::size_t count = 0;
    const Arrival arrival = receive_into(buffer_.get() + end_,
                                         kBufferBytes - end_, deadline, &count);
    if (arrival != Arrival::bytes) return end(arrival, kLateHead);
    end_ += count;
  }
  const std::string_view bytes = buffered().substr(0, scanner.head_bytes());
  begin_ += bytes.size();
  if (const auto refusal = parse_request_head(bytes, &head_)) {
    refuse(*refusal);
    return Received::refused;
  }
  return Received::request;
}

BoundedStream::Received BoundedStream::receive_body() {
  const std::size_t size = head_.body_bytes;
  body_.assign(buffered().substr(0, size));
  begin_ += body_.size();
  if (body_.size() == size) return Received::request;

  if (head_.expects_continue) {
    write(kContinue.data(), kContinue.size());
    if (!flush()) return Received::closed;
  }
  const Clock::time_point deadline = Clock::now() + deadlines_.body;
  std::size_t filled = body_.size();
  while (filled < size) {
    if (filled == body_.size()) {
      const std::size_t step = std::max(filled, kBodyStepBytes);
      body_.resize(std::min(size, filled + step));
    }
    std::size_t count = 0;
    const Arrival arrival = receive_into(
        body_.data() + filled, body_.size() - filled, deadline, &count);
    if (arrival != Arrival::bytes) return end(arrival, kLateBody);
    filled += count;
  }
  return Received::request;
}

BoundedStream::Received BoundedStream::end(Arrival arrival,
                                           const Refusal& refusal) {
  if (arrival == Arrival::closed) return Received::closed;
  refuse(refusal);
  return Received::refused;
}

BoundedStream::Arrival BoundedStream::receive_into(char* bytes,
                                                   std::size_t size,
                                                   Clock::time_point deadline,
                                                   std::size_t* count) {
  for (;;) {
    const ssize_t received = recv(socket_, bytes, size, MSG_DONTWAIT);
    if (received > 0) {
      *count = static_cast<std::size_t>(received);
      // A sender that always has a byte ready must not outrun the deadline.
      return Clock::now() < deadline ? Arrival::bytes : Arrival::late;
    }
    if (received == 0) return Arrival::closed;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Arrival::closed;
    if (!wait(POLLIN, deadline)) return Arrival::late;
  }
}

// Waits for the socket within a request or a response. A stop of the server
// brings the deadline closer.
bool BoundedStream::wait(short events, Clock::time_point deadline) {
  for (;;) {
    if (draining_) deadline = std::min(deadline, drain_deadline_);
    const int patience_ms = milliseconds_until(deadline);
    if (patience_ms == 0) return false;
    std::array<pollfd, 2> waited = {
        {{socket_, events, 0}, {draining_ ? -1 : stop_event_, POLLIN, 0}}};
    if (poll(waited.data(), waited.size(), patience_ms) <= 0) continue;
    if (waited[0].revents != 0) return true;
    draining_ = true;
    drain_deadline_ = Clock::now() + deadlines_.drain;
  }
}

void BoundedStream::refuse(const Refusal& refusal) {
  const std::string body = protocol::encode_error_reply(refusal.text, 0.0);
  response_.append("HTTP/1.1 ").append(std::to_string(refusal.status));
  response_.append(" ").append(reason_phrase(refusal.status));
  response_.append("\r\nConnection: close\r\nServer: ").append(kServerName);
  if (refusal.status == 503) response_.append("\r\nRetry-After: 1");
  response_.append("\r\nContent-Type: ").append(protocol::kJsonContentType);
  response_.append("\r\nContent-Length: ").append(std::to_string(body.size()));
  response_.append("\r\n\r\n").append(body);
}

bool BoundedStream::flush() {
  const Clock::time_point deadline = Clock::now() + deadlines_.send;
  std::string_view left = response_;
  while (!left.empty()) {
    const ssize_t sent =
        send(socket_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      left.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!wait(POLLOUT, deadline)) return false;
    } else if (errno != EINTR) {
      return false;
    }
    if (Clock::now() >= deadline) return false;
  }
  response_.clear();
  if (response_.capacity() > kKeptResponseBytes) response_.shrink_to_fit();
  return true;
}

void BoundedStream::linger() {
  shutdown(socket_, SHUT_WR);
  const Clock::time_point deadline = Clock::now() + deadlines_.linger;
  std::size_t ignored = 0;
  while (receive_into(buffer_.get(), kBufferBytes, deadline, &ignored) ==
         Arrival::bytes) {
  }
}

ssize_t BoundedStream::read(char* bytes, std::size_t size) {
  const std::string_view left = kLibraryHead.substr(library_read_);
  const std::size_t count = left.copy(bytes, size);
  library_read_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t BoundedStream::write(const char* bytes, std::size_t size) {
  response_.append(bytes, size);
  return static_cast<ssize_t>(size);
}

// The library copies addresses into every request; nobody reads them.
void BoundedStream::get_remote_ip_and_port(std::string&, int&) const {}

void BoundedStream::get_local_ip_and_port(std::string&, int&) const {}

}  // namespace lamina::server
