#pragma once

#include <httplib.h>

#if !defined(CPPHTTPLIB_OPENSSL_SUPPORT) || \
    !defined(CPPHTTPLIB_ZLIB_SUPPORT) || !defined(CPPHTTPLIB_BROTLI_SUPPORT)
#error "Compile with the flags of pkg-config cpp-httplib: they change classes."
#endif

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "request_head.h"
#include "transport_options.h"

namespace lamina::server {

// One connection: reads whole requests within limits and deadlines, and gathers
// each response into one send.
//
// cpp-httplib does not parse what a client sent. Each time a request was read
// and judged here, the library reads the same constant head from this stream;
// what the request really was stands in head() and take_body(). So none of the
// faults in its reading can be reached.
//
// Thread safety: one thread at a time.
// Lifetime: borrows the socket and the event.
class BoundedStream : public httplib::Stream {
 public:
  // `stop_event` becomes readable when the server stops.
  BoundedStream(int socket, int stop_event, const Deadlines& deadlines);

  enum class Received {
    request,  // head() and take_body() hold it.
    refused,  // An error reply was written; flush(), linger() and close.
    closed,   // No request will come.
  };

  // Waits for the next request and reads all of it. Bytes that a client sent
  // ahead are kept for the next call.
  Received receive();

  const RequestHead& head() const { return head_; }
  std::string take_body() { return std::move(body_); }

  // Writes an error reply that ends the connection.
  void refuse(const Refusal& refusal);

  // Sends what was written. False when the client does not take it.
  bool flush();

  // Says that nothing more will be sent, and reads until the client has closed
  // too: a socket closed with unread bytes would reset the connection and take
  // the reply away from the client.
  void linger();

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, std::size_t size) override;
  ssize_t write(const char* bytes, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Arrival { bytes, closed, late };

  std::string_view buffered() const {
    return {buffer_.get() + begin_, end_ - begin_};
  }
  void make_room();
  bool wait_for_request();
  Received receive_head();
  Received receive_body();
  Received end(Arrival arrival, const Refusal& refusal);
  Arrival receive_into(char* bytes, std::size_t size,
                       Clock::time_point deadline, std::size_t* count);
  bool wait(short events, Clock::time_point deadline);

  const int socket_;
  const int stop_event_;
  const Deadlines& deadlines_;

  // Received bytes that belong to no request yet: [begin_, end_).
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;

  RequestHead head_;  // Points into the buffer.
  std::string body_;
  std::size_t library_read_ = 0;  // Bytes of the constant head handed out.
  std::string response_;

  bool draining_ = false;
  Clock::time_point drain_deadline_;
};

}  // namespace lamina::server
