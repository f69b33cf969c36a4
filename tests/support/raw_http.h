#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "lamina/result.h"

namespace lamina::test {

struct RawReply {
  int status = 0;
  std::string head;  // Status line and headers, with the blank line.
  std::string body;

  // Value of a header, empty when absent. `name` in any case.
  std::string header(std::string_view name) const;
};

// One TCP connection to 127.0.0.1 that sends bytes as they are and reads HTTP
// replies, so that tests can say what no HTTP library would.
//
// Thread safety: one thread at a time.
class RawConnection {
 public:
  //   unavailable: nobody listens there.
  static Result<RawConnection> open(std::uint16_t port);
  // The same to a socket file.
  static Result<RawConnection> open_unix(const std::string& path);

  RawConnection(RawConnection&& other) noexcept;
  RawConnection& operator=(RawConnection&&) = delete;
  ~RawConnection();

  // Every wait below ends after this long. 10 s at first.
  void set_patience(std::chrono::milliseconds patience) {
    patience_ = patience;
  }

  Status send(std::string_view bytes);

  // Reads one reply: head, then the body by its Content-Length, or none after
  // a HEAD request.
  //   unavailable: the connection was closed before the first byte.
  //   internal: it was closed within the reply, or that is not HTTP.
  //   deadline_exceeded: not within the patience.
  Result<RawReply> read_reply(bool after_head = false);

  // send(), then read_reply().
  Result<RawReply> call(std::string_view bytes);

  // Ok when the server closes the connection and sends no more bytes.
  Status expect_close();

  // Ends our sending side, as a client that is done does.
  void finish_sending();

 private:
  explicit RawConnection(int fd) : fd_(fd) {}
  // Appends what arrives; ok with nothing appended means end of stream.
  Result<std::size_t> receive();

  int fd_ = -1;
  std::chrono::milliseconds patience_{10'000};
  std::string received_;  // Not yet part of a returned reply.
};

// The bytes of a request with Host and, for a body, Content-Length. `headers`
// are whole lines: "Connection: close\r\n".
std::string raw_request(std::string_view method, std::string_view target,
                        std::string_view body = "",
                        std::string_view headers = "");

}  // namespace lamina::test
