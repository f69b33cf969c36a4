#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

// Reading the head of an HTTP/1.1 request: pure functions over bytes. Whatever
// lets two readers of one byte stream disagree about where a request ends is
// refused here, before any HTTP library sees it.
namespace lamina::server {

inline constexpr std::size_t kMaxRequestLineBytes = 8u << 10;
inline constexpr std::size_t kMaxHeadBytes = 32u << 10;
inline constexpr std::size_t kMaxHeaderLines = 100;

// Why a request is not served. After it the connection must be closed, as the
// bytes that follow cannot be told apart from a body.
struct Refusal {
  int status = 0;
  std::string_view text;  // Constant: no byte of the request is in it.
};

// A body larger than is taken, however it is framed.
inline constexpr Refusal kLongBody{413, "Bad request: body above 32 MiB"};

// Finds where a head ends while its bytes arrive, looking at each byte once.
//
// Thread safety: one thread at a time.
class HeadScanner {
 public:
  // `received` holds all bytes since the start of the head, and more of them at
  // each call. Refuses as soon as a limit is passed or a line does not end in
  // CRLF, not only when the head is whole.
  std::optional<Refusal> scan(std::string_view received);

  // Bytes of the head with its blank line; 0 while that is not there yet.
  std::size_t head_bytes() const { return head_bytes_; }

 private:
  std::optional<Refusal> check_limits(std::size_t received_bytes) const;

  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t lines_ = 0;  // Whole lines so far, the request line among them.
  std::size_t head_bytes_ = 0;
};

// What the server needs to know of a head. The views point into it.
struct RequestHead {
  std::string_view method;
  std::string_view path;   // Up to '?', still percent-encoded.
  std::string_view query;  // Behind '?', still percent-encoded.
  std::string_view durability;
  std::string_view content_type;
  std::string_view accept;
  std::string_view host;
  std::string_view origin;
  std::string_view api_key;        // api-key
  std::string_view authorization;  // Authorization
  std::string_view request_id;     // X-Request-Id
  std::string_view traceparent;    // Of W3C Trace Context.
  bool wants_timing = false;
  std::size_t body_bytes = 0;  // 0 when there is no Content-Length.
  bool chunked = false;        // The body comes in chunks (chunked_body.h).
  bool keep_alive = true;
  bool expects_continue = false;
};

// Reads a whole head, with or without its blank line.
std::optional<Refusal> parse_request_head(std::string_view bytes,
                                          RequestHead* head);

}  // namespace lamina::server
