#pragma once

#include <httplib.h>

#if !defined(CPPHTTPLIB_OPENSSL_SUPPORT) || \
    !defined(CPPHTTPLIB_ZLIB_SUPPORT) || !defined(CPPHTTPLIB_BROTLI_SUPPORT)
#error "Compile with the flags of pkg-config cpp-httplib: they change classes."
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "body_memory.h"
#include "chunked_body.h"
#include "request_head.h"
#include "transport_options.h"

namespace lamina::server {

// One connection: reads whole requests within limits and deadlines, and gathers
// each response into one send. No call waits for the client: each does what can
// be done at once, and is called again when the socket is ready or deadline()
// has come.
//
// cpp-httplib does not parse what a client sent. Each time a request was read
// and judged here, the library reads the same constant head from this stream;
// what the request really was stands in head() and take_body(). So none of the
// faults in its reading can be reached.
//
// Thread safety: one thread at a time.
// Lifetime: borrows the socket, the deadlines and the memory.
class BoundedStream : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // `memory` bounds the bodies of all streams that share it.
  BoundedStream(int socket, const Deadlines& deadlines,
                BodyMemory* memory = nullptr);

  enum class Received {
    request,  // head() and take_body() hold it.
    partial,  // Call again when the socket is readable, or at deadline().
    refused,  // An error reply was written; flush(), drain() and close.
    closed,   // No request will come.
  };

  // Reads on towards the next request. Bytes that a client sent ahead are kept
  // for the call after.
  Received receive();

  const RequestHead& head() const { return head_; }
  std::string take_body() { return std::move(body_); }

  // No byte of a request is here: nothing is lost when the connection ends.
  bool idle() const {
    return (phase_ == Phase::between || phase_ == Phase::head) &&
           begin_ == end_;
  }

  // Gives back the memory that an idle connection does not need.
  void rest();

  // Writes an error reply that ends the connection.
  void refuse(const Refusal& refusal);

  enum class Flushed {
    all,
    some,    // Call again when the socket is writable, or at deadline().
    failed,  // The client does not take it.
  };

  // Sends what was written.
  Flushed flush();

  // Says that nothing more will be sent, and reads until the client has closed
  // too: a socket closed with unread bytes would reset the connection and take
  // the reply away from the client. True while it has to be called again, when
  // the socket is readable or at deadline().
  bool drain();

  // Until when the socket has to be ready for what was called last.
  Clock::time_point deadline() const { return std::min(deadline_, latest_); }

  // No deadline, present or future, is later than that.
  void end_by(Clock::time_point latest) { latest_ = latest; }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, std::size_t size) override;
  ssize_t write(const char* bytes, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  enum class Phase { between, head, body, chunks };  // Of reading.
  enum class Arrival { bytes, nothing, closed, no_room };
  static constexpr Clock::time_point kUnset = Clock::time_point::max();

  std::string_view buffered() const {
    return {buffer_.get() + begin_, end_ - begin_};
  }
  void begin_request();
  Received take_buffered();
  Received take_head();
  Received begin_body();
  Received take_chunks();
  Received refused(const Refusal& refusal);
  Received end_late();
  Arrival receive_more();
  Arrival receive_buffered();
  Arrival receive_body();
  Arrival receive_into(char* bytes, std::size_t size, std::size_t* count);
  void set_request_deadline();
  bool is_late() const { return Clock::now() >= deadline(); }
  void send_some();

  const int socket_;
  const Deadlines& deadlines_;

  // Received bytes that belong to no request yet: [begin_, end_). None while
  // the connection is at rest.
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;

  Phase phase_ = Phase::between;
  HeadScanner scanner_;
  RequestHead head_;  // Points into the buffer, before body_begin_.
  std::size_t body_begin_ = 0;
  ChunkedBody chunks_;
  BodyMemory::Share memory_;
  std::string body_;
  std::size_t body_filled_ = 0;   // Of body_, how much has arrived.
  std::size_t library_read_ = 0;  // Bytes of the constant head handed out.

  std::string response_;
  std::size_t sent_ = 0;  // Of response_.
  bool send_failed_ = false;
  bool sending_ = false;
  bool draining_ = false;

  Clock::time_point request_begin_ = kUnset;
  Clock::time_point body_time_ = kUnset;  // When the head was whole.
  Clock::time_point deadline_ = kUnset;   // kUnset until there was a wait.
  Clock::time_point latest_ = Clock::time_point::max();
};

}  // namespace lamina::server
