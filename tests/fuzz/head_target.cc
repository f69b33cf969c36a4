#include <algorithm>

#include "fuzz/targets.h"
#include "protocol/paths.h"
#include "request_head.h"

namespace lamina::fuzz {
namespace {

// What a scanner makes of bytes that arrive in pieces.
struct Scanned {
  bool refused = false;
  std::size_t head_bytes = 0;
  bool operator==(const Scanned&) const = default;
};

Scanned scan(std::string_view bytes, std::size_t piece_bytes) {
  server::HeadScanner scanner;
  for (std::size_t seen = 0; seen < bytes.size();) {
    seen = std::min(bytes.size(), seen + piece_bytes);
    if (scanner.scan(bytes.substr(0, seen))) return {.refused = true};
    if (scanner.head_bytes() > 0) break;
  }
  return {.refused = false, .head_bytes = scanner.head_bytes()};
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), lower);
  return small;
}

// How many header lines have that name, by another way than the parser's.
std::size_t count_headers(std::string_view head, std::string_view name) {
  const std::string text = in_small_letters(head);
  const std::string wanted = "\r\n" + std::string(name) + ":";
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string::npos;
       at = text.find(wanted, at + 1)) {
    ++count;
  }
  return count;
}

void check_accepted(std::string_view bytes, const server::RequestHead& head) {
  check(count_headers(bytes, "host") <= 1, "there is one host");
  const std::size_t lengths = count_headers(bytes, "content-length");
  const std::size_t codings = count_headers(bytes, "transfer-encoding");
  check(lengths + codings <= 1, "there is one way to tell a body's length");
  check(lengths == 1 || head.body_bytes == 0, "no length, no body");
  check(head.body_bytes <= protocol::kMaxBodyBytes, "a body is within limits");
  check(head.path.starts_with('/'), "a path begins with a slash");
  for (const std::string_view part : {head.method, head.path, head.query}) {
    check(part.find_first_of(std::string_view("\0\r\n\t ", 5)) ==
              std::string_view::npos,
          "nothing in the request line ends it");
  }
  for (const std::string_view value :
       {head.durability, head.content_type, head.accept}) {
    check(value.find_first_of(std::string_view("\0\r\n", 3)) ==
              std::string_view::npos,
          "a header's value is of one line");
  }
}

void run(std::string_view input) {
  const Scanned whole = scan(input, input.size());
  for (const std::size_t piece_bytes : {1, 7}) {
    check(scan(input, piece_bytes) == whole,
          "it does not matter in which pieces a head arrives");
  }
  if (whole.refused || whole.head_bytes == 0) return;
  const std::string_view bytes = input.substr(0, whole.head_bytes);
  check(bytes.ends_with("\r\n\r\n"), "a head ends in a blank line");
  server::RequestHead head;
  if (server::parse_request_head(bytes, &head)) return;
  check_accepted(bytes, head);
  server::RequestHead again;
  check(!server::parse_request_head(bytes.substr(0, bytes.size() - 2), &again),
        "a head may come without its blank line");
  check(again.path == head.path && again.body_bytes == head.body_bytes,
        "and means the same");
}

std::vector<std::string> seeds() {
  const std::string post = "POST /a HTTP/1.1\r\nHost: h\r\n";
  std::vector<std::string> seeds = {
      "GET /collections/a?x=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
      "Accept: */*\r\nConnection: keep-alive, close\r\n\r\nrest",
      "GET / HTTP/1.0\r\n\r\n",
      "GET / HTTP/2.0\r\n\r\n",
      "\r\nGET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\nHost: h\n\n",
      "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n",
  };
  for (const std::string_view headers :
       {"Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Content-Length: -1\r\n",
        "Content-Length: 33554433\r\n",
        "Content-Length: 99999999999999999999\r\n", "Content-Length : 5\r\n",
        "Content-Length: 5\r\n\t6\r\n", "Expect: 100-continue\r\n",
        "Expect: foo\r\n", "Content-Encoding: gzip\r\n", "Host: i\r\n",
        "Lamina-Durability: fsync\r\nLamina-Timing: 1\r\n", "A: b\rc\r\n",
        ": b\r\n", "no colon\r\n"}) {
    seeds.push_back(post + std::string(headers) + "\r\nhello");
  }
  std::string many = post;
  for (std::size_t i = 0; i < server::kMaxHeaderLines; ++i) many += "a: b\r\n";
  seeds.push_back(many + "\r\n");
  return seeds;
}

}  // namespace

Target head_target() {
  return {.name = "heads",
          .what =
              "Heads of HTTP requests. It does not matter in which pieces "
              "one arrives; none that is taken has two lengths, a line "
              "within a line, or a body above the limit.",
          .run = run,
          .seeds = seeds,
          .words = {"\r\n",
                    "\r\n\r\n",
                    "HTTP/1.1",
                    "HTTP/1.0",
                    "GET /",
                    "POST /",
                    "Host:",
                    "Content-Length:",
                    "Transfer-Encoding:",
                    "chunked",
                    "Content-Encoding:",
                    "identity",
                    "Expect:",
                    "100-continue",
                    "Connection: close",
                    "Lamina-Durability:",
                    "Content-Type:",
                    "Accept:",
                    "33554432",
                    "\t",
                    " "},
          .most_bytes = 1024};
}

}  // namespace lamina::fuzz
