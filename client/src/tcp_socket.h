#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lamina/result.h"
#include "transport.h"

namespace lamina::client {

// A TCP connection whose calls end at a deadline, without a thread or a timer.
// Never raises SIGPIPE. Closed on destruction.
//
// Thread safety: none.
class TcpSocket {
 public:
  // What became of one read or write: `error` is 0 or an errno, ETIMEDOUT when
  // the deadline passed.
  struct Transfer {
    std::size_t bytes = 0;
    int error = 0;
  };

  // Tries every address of the host, each with its share of the time. Looking
  // a name up takes as long as the resolver takes; an address needs none.
  //   unavailable: no such host, or no address takes the connection.
  //   deadline_exceeded: no answer in time.
  static Result<TcpSocket> connect(const std::string& host, std::uint16_t port,
                                   Deadline deadline);

  TcpSocket() = default;
  TcpSocket(TcpSocket&& other) noexcept;
  TcpSocket& operator=(TcpSocket&& other) noexcept;
  ~TcpSocket();

  void close();

  // Sends `head` and `body` one behind the other, with one system call where
  // the kernel has room. `bytes` counts both.
  Transfer send(std::string_view head, std::string_view body,
                Deadline deadline);

  // Waits for bytes and takes up to `size` of them; 0 without an error at the
  // end of the stream.
  Transfer receive(char* data, std::size_t size, Deadline deadline);

  // Neither bytes nor an end wait to be received.
  bool is_quiet() const;

 private:
  explicit TcpSocket(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace lamina::client
