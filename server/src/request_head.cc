#include "request_head.h"

#include <algorithm>
#include <charconv>

#include "protocol/paths.h"

namespace lamina::server {
namespace {

constexpr Refusal kLineEnd{400, "Bad request: a line does not end in CRLF"};
constexpr Refusal kNul{400, "Bad request: NUL in the head"};
constexpr Refusal kEmptyHead{400, "Bad request: no request line"};
constexpr Refusal kRequestLine{400,
                               "Bad request: the request line is not "
                               "'METHOD /path HTTP/1.1'"};
constexpr Refusal kVersion{505, "Bad request: HTTP version is not 1.0 or 1.1"};
constexpr Refusal kLongLine{414, "Bad request: request line above 8 KiB"};
constexpr Refusal kLongHead{431, "Bad request: headers above 32 KiB"};
constexpr Refusal kManyHeaders{431, "Bad request: more than 100 headers"};
constexpr Refusal kHeaderLine{400,
                              "Bad request: a header is not 'Name: value'"};
constexpr Refusal kFolding{400, "Bad request: a header goes over two lines"};
constexpr Refusal kHost{400, "Bad request: exactly one Host is needed"};
constexpr Refusal kLengthTwice{400, "Bad request: two Content-Length headers"};
constexpr Refusal kLengthDigits{400,
                                "Bad request: Content-Length is not a number"};
constexpr Refusal kLengthAndCoding{
    400, "Bad request: both Content-Length and Transfer-Encoding"};
constexpr Refusal kCodingTwice{400,
                               "Bad request: two Transfer-Encoding headers"};
constexpr Refusal kCoding{411,
                          "Bad request: no Transfer-Encoding but 'chunked' is "
                          "supported, send Content-Length"};
constexpr Refusal kOldCoding{
    400, "Bad request: Transfer-Encoding in a request of HTTP/1.0"};
constexpr Refusal kCompressed{415,
                              "Bad request: Content-Encoding is not supported, "
                              "send the body as it is"};
constexpr Refusal kExpect{417, "Bad request: only 'Expect: 100-continue'"};
constexpr Refusal kDurabilityTwice{
    400, "Bad request: two Lamina-Durability headers"};

static_assert(protocol::kMaxBodyBytes == (32u << 20), "kLongBody says 32 MiB");

char lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// RFC 9110, 5.6.2: what a method or a header name may be made of.
bool is_token_char(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (lower(c) >= 'a' && lower(c) <= 'z') || is_digit(c) ||
         kMarks.find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

// Bytes above ASCII are let through: clients exist that do not percent-encode.
bool is_target_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f;
}

bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the text before `separator`, and the separator, from the front.
std::string_view take_until(std::string_view* text,
                            std::string_view separator) {
  const std::size_t at = text->find(separator);
  const std::string_view taken = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size()
                                                   : at + separator.size());
  return taken;
}

bool list_has(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (equals_ignoring_case(trim(take_until(&list, ",")), word)) return true;
  }
  return false;
}

std::optional<Refusal> read_version(std::string_view version,
                                    RequestHead* head) {
  if (version == "HTTP/1.1") return {};
  if (version == "HTTP/1.0") {
    head->keep_alive = false;
    return {};
  }
  const bool well_formed =
      version.size() == 8 && version.starts_with("HTTP/") &&
      is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
  return well_formed ? kVersion : kRequestLine;
}

std::optional<Refusal> read_request_line(std::string_view line,
                                         RequestHead* head) {
  head->method = take_until(&line, " ");
  std::string_view target = take_until(&line, " ");
  const bool well_formed =
      is_token(head->method) && target.starts_with('/') &&
      std::all_of(target.begin(), target.end(), is_target_char);
  if (!well_formed) return kRequestLine;
  head->path = take_until(&target, "?");
  head->query = target;
  return read_version(line, head);
}

// The headers that decide about a request, seen so far.
struct Seen {
  bool host = false;
  bool length = false;
  bool coding = false;
  bool durability = false;
  bool http_1_0 = false;
};

std::optional<Refusal> read_length(std::string_view value, Seen* seen,
                                   RequestHead* head) {
  if (seen->length) return kLengthTwice;
  seen->length = true;
  if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit)) {
    return kLengthDigits;
  }
  const auto read = std::from_chars(value.data(), value.data() + value.size(),
                                    head->body_bytes);
  const bool fits =
      read.ec == std::errc() && head->body_bytes <= protocol::kMaxBodyBytes;
  return fits ? std::nullopt : std::optional(kLongBody);
}

// What tells who asks, and from where.
void read_caller_header(std::string_view name, std::string_view value,
                        RequestHead* head) {
  if (equals_ignoring_case(name, "Origin")) {
    head->origin = value;
  } else if (equals_ignoring_case(name, protocol::kApiKeyHeader)) {
    head->api_key = value;
  } else if (equals_ignoring_case(name, "Authorization")) {
    head->authorization = value;
  } else if (equals_ignoring_case(name, protocol::kRequestIdHeader)) {
    head->request_id = value;
  } else if (equals_ignoring_case(name, "traceparent")) {
    head->traceparent = value;
  }
}

std::optional<Refusal> read_header(std::string_view name,
                                   std::string_view value, Seen* seen,
                                   RequestHead* head) {
  if (equals_ignoring_case(name, "Host")) {
    if (seen->host) return kHost;
    seen->host = true;
    head->host = value;
  } else if (equals_ignoring_case(name, "Content-Length")) {
    return read_length(value, seen, head);
  } else if (equals_ignoring_case(name, "Transfer-Encoding")) {
    if (seen->coding) return kCodingTwice;
    seen->coding = true;
    head->chunked = equals_ignoring_case(value, "chunked");
  } else if (equals_ignoring_case(name, "Content-Encoding")) {
    if (!equals_ignoring_case(value, "identity")) return kCompressed;
  } else if (equals_ignoring_case(name, "Expect")) {
    if (!equals_ignoring_case(value, "100-continue")) return kExpect;
    head->expects_continue = true;
  } else if (equals_ignoring_case(name, "Connection")) {
    if (list_has(value, "close")) head->keep_alive = false;
  } else if (equals_ignoring_case(name, protocol::kDurabilityHeader)) {
    if (seen->durability) return kDurabilityTwice;
    seen->durability = true;
    head->durability = value;
  } else if (equals_ignoring_case(name, "Content-Type")) {
    head->content_type = value;
  } else if (equals_ignoring_case(name, "Accept")) {
    head->accept = value;
  } else if (equals_ignoring_case(name, protocol::kTimingHeader)) {
    head->wants_timing = true;
  } else {
    read_caller_header(name, value, head);
  }
  return {};
}

std::optional<Refusal> read_header_line(std::string_view line, Seen* seen,
                                        RequestHead* head) {
  if (is_blank(line.front())) return kFolding;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return kHeaderLine;
  const std::string_view value = trim(line.substr(colon + 1));
  if (!is_token(line.substr(0, colon)) ||
      !std::all_of(value.begin(), value.end(), is_value_char)) {
    return kHeaderLine;
  }
  return read_header(line.substr(0, colon), value, seen, head);
}

std::optional<Refusal> check_framing(const Seen& seen,
                                     const RequestHead& head) {
  if (seen.coding && seen.length) return kLengthAndCoding;
  if (seen.coding && seen.http_1_0) return kOldCoding;
  if (seen.coding && !head.chunked) return kCoding;
  if (!seen.host && !seen.http_1_0) return kHost;
  return {};
}

}  // namespace

std::optional<Refusal> HeadScanner::scan(std::string_view received) {
  while (head_bytes_ == 0) {
    const std::size_t end = received.find('\n', scanned_);
    const std::size_t stop = std::min(end, received.size());
    if (received.substr(scanned_, stop - scanned_).find('\0') !=
        std::string_view::npos) {
      return kNul;
    }
    scanned_ = stop;
    if (end == std::string_view::npos) return check_limits(received.size());
    if (end == line_begin_ || received[end - 1] != '\r') return kLineEnd;

    const bool blank_line = end == line_begin_ + 1;
    scanned_ = line_begin_ = end + 1;
    if (blank_line && lines_ == 0) return kEmptyHead;
    if (blank_line) head_bytes_ = end + 1;
    if (lines_++ == 0 && end - 1 > kMaxRequestLineBytes) return kLongLine;
    if (std::optional<Refusal> refusal = check_limits(end + 1)) return refusal;
  }
  return {};
}

// Holds the bytes of the head that are known so far against the limits.
std::optional<Refusal> HeadScanner::check_limits(
    std::size_t received_bytes) const {
  // Two bytes more than the line: its CRLF may be on the way.
  if (lines_ == 0 && received_bytes > kMaxRequestLineBytes + 2) {
    return kLongLine;
  }
  if (received_bytes > kMaxHeadBytes) return kLongHead;
  // Beside the headers, the request line and the blank line were counted.
  if (lines_ > kMaxHeaderLines + 1 && head_bytes_ == 0) return kManyHeaders;
  return {};
}

std::optional<Refusal> parse_request_head(std::string_view bytes,
                                          RequestHead* head) {
  *head = {};
  if (std::optional<Refusal> refusal =
          read_request_line(take_until(&bytes, "\r\n"), head)) {
    return refusal;
  }
  Seen seen;
  seen.http_1_0 = !head->keep_alive;
  while (!bytes.empty() && !bytes.starts_with("\r\n")) {
    if (std::optional<Refusal> refusal =
            read_header_line(take_until(&bytes, "\r\n"), &seen, head)) {
      return refusal;
    }
  }
  return check_framing(seen, *head);
}

}  // namespace lamina::server
