#pragma once

#include <string>
#include <string_view>

#include "lamina/result.h"

namespace lamina::bench {

// The length of a message's head, up to and with the empty line; 0 while that
// has not arrived.
std::size_t head_length(std::string_view bytes);

// The Content-Length in a head; 0 when it names none.
std::size_t content_length(std::string_view head);

// A POST or GET as bytes, for a keep-alive connection.
std::string encode_request(std::string_view method, std::string_view path,
                           std::string_view body,
                           std::string_view content_type = "application/json",
                           std::string_view accept = "");

// One connection to 127.0.0.1 with TCP_NODELAY: the least that an HTTP client
// can do. No limits, no timeouts but the receive timeout of ten seconds: it
// talks to servers that this program started.
//
// Thread safety: none.
class RawSocket {
 public:
  //   unavailable: nobody listens.
  static Result<RawSocket> connect(int port);

  RawSocket(RawSocket&& other) noexcept;
  RawSocket& operator=(RawSocket&&) = delete;
  ~RawSocket();

  // Sends a whole request and reads a whole reply, head included. What
  // `*message` held is overwritten; its memory is used again.
  Status exchange(std::string_view request, std::string* message);

 private:
  explicit RawSocket(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace lamina::bench
