#include "bounded_stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "refusal_reply.h"

namespace lamina::server {
namespace {

// Room for a head, and for a typical request whole: one recv.
constexpr std::size_t kBufferBytes = 64u << 10;
static_assert(kBufferBytes > kMaxHeadBytes);

// A response buffer that grew beyond this is given back after the response.
constexpr std::size_t kKeptResponseBytes = 1u << 20;

// Memory for a body grows with the bytes that came, not with those announced.
constexpr std::size_t kBodyStepBytes = 1u << 20;

// Of a client that goes on sending after its refusal, at most this many
// buffers are read before others have their turn.
constexpr std::size_t kDrainsAtOnce = 16;

constexpr std::string_view kLibraryHead = "GET / HTTP/1.1\r\n\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

constexpr Refusal kLateHead{408, "Timeout error: the request head is too slow"};
constexpr Refusal kLateBody{408, "Timeout error: the request body is too slow"};
constexpr Refusal kNoMemory{
    503, "Service unavailable: too many large requests at a time"};

}  // namespace

BoundedStream::BoundedStream(int socket, const Deadlines& deadlines,
                             BodyMemory* memory)
    : socket_(socket),
      deadlines_(deadlines),
      memory_(memory),
      deadline_(Clock::now() + deadlines.idle) {
  // Without it the last part of a response waits for the client's delayed
  // acknowledgement, 40 ms.
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

BoundedStream::Received BoundedStream::receive() {
  if (phase_ == Phase::between) begin_request();
  for (;;) {
    const Received received = take_buffered();
    if (received == Received::request) {
      phase_ = Phase::between;
      deadline_ = kUnset;
    }
    if (received != Received::partial) return received;

    // A request that is here as soon as it is looked for, the common case, is
    // read without a look at the clock.
    const bool begun = !idle();
    if (begun) set_request_deadline();
    const Arrival arrival = receive_more();
    if (arrival == Arrival::closed) return Received::closed;
    if (arrival == Arrival::no_room) return refused(kNoMemory);
    if (arrival == Arrival::bytes && !begun) continue;
    if (deadline_ == kUnset) deadline_ = Clock::now() + deadlines_.idle;
    // Also when there are bytes: a sender that always has one ready must not
    // outrun the deadline.
    if (is_late()) return end_late();
    if (arrival == Arrival::nothing) return Received::partial;
  }
}

void BoundedStream::begin_request() {
  phase_ = Phase::head;
  scanner_ = {};
  chunks_ = {};
  body_.clear();
  memory_.give_back();
  body_filled_ = 0;
  library_read_ = 0;
  request_begin_ = body_time_ = kUnset;
  if (begin_ == end_) begin_ = end_ = 0;
  // Moves what was sent ahead to the front when a head might not fit behind it.
  if (kBufferBytes - begin_ > kMaxHeadBytes) return;
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
}

void BoundedStream::rest() {
  buffer_.reset();
  begin_ = end_ = 0;
  response_ = {};
  body_ = {};
}

BoundedStream::Received BoundedStream::take_buffered() {
  switch (phase_) {
    case Phase::head:
      return begin_ == end_ ? Received::partial : take_head();
    case Phase::chunks:
      return take_chunks();
    default:
      return body_filled_ == head_.body_bytes ? Received::request
                                              : Received::partial;
  }
}

BoundedStream::Received BoundedStream::take_head() {
  if (const auto refusal = scanner_.scan(buffered())) return refused(*refusal);
  if (scanner_.head_bytes() == 0) return Received::partial;
  const std::string_view bytes = buffered().substr(0, scanner_.head_bytes());
  begin_ += bytes.size();
  if (const auto refusal = parse_request_head(bytes, &head_)) {
    return refused(*refusal);
  }
  const Received received = begin_body();
  if (received == Received::partial && head_.expects_continue) {
    response_.append(kContinue);
    send_some();
  }
  return received;
}

BoundedStream::Received BoundedStream::begin_body() {
  body_begin_ = begin_;
  if (head_.chunked) {
    phase_ = Phase::chunks;
    return take_chunks();
  }
  phase_ = Phase::body;
  body_.assign(buffered().substr(0, head_.body_bytes));
  body_filled_ = body_.size();
  begin_ += body_filled_;
  return take_buffered();
}

BoundedStream::Received BoundedStream::take_chunks() {
  std::size_t taken = 0;
  const auto refusal = chunks_.decode(buffered(), &body_, &taken);
  begin_ += taken;
  body_filled_ = body_.size();
  if (refusal) return refused(*refusal);
  return chunks_.ended() ? Received::request : Received::partial;
}

BoundedStream::Received BoundedStream::refused(const Refusal& refusal) {
  refuse(refusal);
  return Received::refused;
}

BoundedStream::Received BoundedStream::end_late() {
  if (idle()) return Received::closed;
  return refused(phase_ == Phase::head ? kLateHead : kLateBody);
}

// The deadline for all of the part that is arriving. That of a body moves with
// its bytes, so that its rate is bounded from below, and its time from above.
void BoundedStream::set_request_deadline() {
  if (request_begin_ == kUnset) request_begin_ = Clock::now();
  if (phase_ == Phase::head) {
    deadline_ = request_begin_ + deadlines_.head;
    return;
  }
  if (body_time_ == kUnset) body_time_ = Clock::now();
  const std::chrono::milliseconds earned(body_filled_ * 1'000 /
                                         deadlines_.min_body_rate);
  deadline_ = std::min(request_begin_ + deadlines_.request,
                       body_time_ + deadlines_.behind + earned);
}

BoundedStream::Arrival BoundedStream::receive_more() {
  return phase_ == Phase::body ? receive_body() : receive_buffered();
}

BoundedStream::Arrival BoundedStream::receive_buffered() {
  if (!buffer_) {
    buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes);
  }
  // All chunks that came are taken, but the head stays: views point into it.
  if (phase_ == Phase::chunks) {
    begin_ = end_ = body_begin_;
    if (!memory_.hold(body_filled_)) return Arrival::no_room;
  }
  std::size_t count = 0;
  const Arrival arrival =
      receive_into(buffer_.get() + end_, kBufferBytes - end_, &count);
  end_ += count;
  return arrival;
}

BoundedStream::Arrival BoundedStream::receive_body() {
  if (body_filled_ == body_.size()) {
    const std::size_t step = std::max(body_filled_, kBodyStepBytes);
    const std::size_t size = std::min(head_.body_bytes, body_filled_ + step);
    if (!memory_.hold(size)) return Arrival::no_room;
    body_.resize(size);
  }
  std::size_t count = 0;
  const Arrival arrival = receive_into(body_.data() + body_filled_,
                                       body_.size() - body_filled_, &count);
  body_filled_ += count;
  return arrival;
}

BoundedStream::Arrival BoundedStream::receive_into(char* bytes,
                                                   std::size_t size,
                                                   std::size_t* count) {
  for (;;) {
    const ssize_t received = recv(socket_, bytes, size, MSG_DONTWAIT);
    if (received > 0) {
      *count = static_cast<std::size_t>(received);
      return Arrival::bytes;
    }
    if (received == 0) return Arrival::closed;
    if (errno == EAGAIN) return Arrival::nothing;
    if (errno != EINTR) return Arrival::closed;
  }
}

void BoundedStream::refuse(const Refusal& refusal) {
  append_refusal(refusal, &response_);
}

BoundedStream::Flushed BoundedStream::flush() {
  send_some();
  if (send_failed_) return Flushed::failed;
  if (sent_ == response_.size()) {
    response_.clear();
    if (response_.capacity() > kKeptResponseBytes) response_.shrink_to_fit();
    sent_ = 0;
    if (std::exchange(sending_, false)) deadline_ = kUnset;
    return Flushed::all;
  }
  if (!std::exchange(sending_, true)) {
    deadline_ = Clock::now() + deadlines_.send;
  }
  return is_late() ? Flushed::failed : Flushed::some;
}

void BoundedStream::send_some() {
  while (sent_ < response_.size() && !send_failed_) {
    const ssize_t sent =
        send(socket_, response_.data() + sent_, response_.size() - sent_,
             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      sent_ += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      send_failed_ = true;
    }
  }
}

bool BoundedStream::drain() {
  if (!std::exchange(draining_, true)) {
    shutdown(socket_, SHUT_WR);
    deadline_ = Clock::now() + deadlines_.linger;
    phase_ = Phase::head;
  }
  for (std::size_t i = 0; i < kDrainsAtOnce; ++i) {
    begin_ = end_ = 0;
    const Arrival arrival = receive_buffered();
    if (arrival == Arrival::closed || is_late()) return false;
    if (arrival == Arrival::nothing) return true;
  }
  return true;
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
