#include "request_head.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "protocol/paths.h"

namespace lamina::server {
namespace {

// What scanner and parser make of a head that arrives in pieces of `step`
// bytes: 200, or the status of the refusal, or 0 while it is not whole.
int judge(std::string_view bytes, RequestHead* head,
          std::size_t step = std::string_view::npos) {
  HeadScanner scanner;
  for (std::size_t seen = 0; seen < bytes.size() && !scanner.head_bytes();) {
    seen += std::min(step, bytes.size() - seen);
    if (const auto refusal = scanner.scan(bytes.substr(0, seen))) {
      return refusal->status;
    }
  }
  if (scanner.head_bytes() == 0) return 0;
  const auto refusal =
      parse_request_head(bytes.substr(0, scanner.head_bytes()), head);
  return refusal ? refusal->status : 200;
}

int judge(std::string_view bytes) {
  RequestHead head;
  return judge(bytes, &head);
}

int judge_headers(std::string_view headers) {
  return judge("POST /a HTTP/1.1\r\nHost: h\r\n" + std::string(headers) +
               "\r\n");
}

TEST_CASE("a head is read whole") {
  RequestHead head;
  CHECK(judge("PUT /collections/a%20b/points?wait=true HTTP/1.1\r\n"
              "hOST: 127.0.0.1:6333\r\n"
              "content-LENGTH:  12 \r\n"
              "Lamina-Durability: fsync\r\n"
              "CONTENT-type: application/json\r\n"
              "Accept:  */* \r\n"
              "lamina-timing: 1\r\n"
              "Expect: 100-Continue\r\n"
              "\r\n{\"points\":[]",
              &head) == 200);
  CHECK(head.method == "PUT");
  CHECK(head.path == "/collections/a%20b/points");
  CHECK(head.query == "wait=true");
  CHECK(head.durability == "fsync");
  CHECK(head.content_type == "application/json");
  CHECK(head.accept == "*/*");
  CHECK(head.wants_timing);
  CHECK(head.body_bytes == 12);
  CHECK(head.keep_alive);
  CHECK(head.expects_continue);
}

TEST_CASE("a connection is kept unless the client says otherwise") {
  RequestHead head;
  CHECK(judge("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
              &head) == 200);
  CHECK_FALSE(head.keep_alive);
  CHECK(judge("GET / HTTP/1.1\r\nHost: h\r\nConnection: TE, Close\r\n\r\n",
              &head) == 200);
  CHECK_FALSE(head.keep_alive);
  CHECK(judge("GET / HTTP/1.1\r\nHost: h\r\nConnection: closed\r\n\r\n",
              &head) == 200);
  CHECK(head.keep_alive);
  CHECK(judge("GET / HTTP/1.0\r\n\r\n", &head) == 200);
  CHECK_FALSE(head.keep_alive);
}

TEST_CASE("a malformed request line is refused") {
  const auto judge_line = [](std::string_view line) {
    return judge(std::string(line) + "\r\nHost: h\r\n\r\n");
  };
  CHECK(judge_line("GET / HTTP/1.1") == 200);
  CHECK(judge_line("BREW /pot HTTP/1.1") == 200);  // The router says 405.
  CHECK(judge_line("GET /\xc3\xa4 HTTP/1.1") == 200);
  CHECK(judge_line("GET  / HTTP/1.1") == 400);
  CHECK(judge_line("GET / HTTP/1.1 ") == 400);
  CHECK(judge_line("GET /a b HTTP/1.1") == 400);
  CHECK(judge_line(" GET / HTTP/1.1") == 400);
  CHECK(judge_line("GET /") == 400);
  CHECK(judge_line("GET") == 400);
  CHECK(judge_line("GET http://h/ HTTP/1.1") == 400);
  CHECK(judge_line("G(T / HTTP/1.1") == 400);
  CHECK(judge_line("GET /\x01 HTTP/1.1") == 400);
  CHECK(judge_line("GET /\x7f HTTP/1.1") == 400);
  CHECK(judge_line("GET / HTTP/1.15") == 400);
  CHECK(judge_line("GET / http/1.1") == 400);
  CHECK(judge_line("GET / HTTP/2.0") == 505);
  CHECK(judge_line("PRI * HTTP/2.0") == 400);
  CHECK(judge("\r\n\r\n") == 400);
}

TEST_CASE("what lets two readers disagree about framing is refused") {
  CHECK(judge_headers("Content-Length: 5\r\n") == 200);
  CHECK(judge_headers("Content-Length: 5\r\nContent-Length: 5\r\n") == 400);
  CHECK(judge_headers("Content-Length: 5\r\ncontent-length: 6\r\n") == 400);
  CHECK(judge_headers("Content-Length: 5, 5\r\n") == 400);
  CHECK(judge_headers("Content-Length: +5\r\n") == 400);
  CHECK(judge_headers("Content-Length: -5\r\n") == 400);
  CHECK(judge_headers("Content-Length: 0x5\r\n") == 400);
  CHECK(judge_headers("Content-Length: 5 5\r\n") == 400);
  CHECK(judge_headers("Content-Length:\r\n") == 400);
  CHECK(judge_headers("Content-Length : 5\r\n") == 400);
  CHECK(judge_headers(" Content-Length: 5\r\n") == 400);
  CHECK(judge_headers("X: a\r\n Content-Length: 5\r\n") == 400);
  CHECK(judge_headers("X: a\r\n\tb\r\n") == 400);
  CHECK(judge_headers("Transfer-Encoding: chunked\r\n") == 200);
  CHECK(judge_headers("Transfer-Encoding: gzip, chunked\r\n") == 411);
  CHECK(judge_headers("Transfer-Encoding: chunked\r\n"
                      "Transfer-Encoding: chunked\r\n") == 400);
  CHECK(judge("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
  CHECK(judge_headers("Transfer-Encoding: identity\r\n") == 411);
  CHECK(judge_headers("tRansfer-encoding:\tChunked\r\n") == 200);
  CHECK(judge_headers("Transfer-Encoding: chunked;a=b\r\n") == 411);
  CHECK(judge_headers("Transfer-Encoding:\r\n") == 411);
  CHECK(judge_headers("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") ==
        400);
  CHECK(judge_headers("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") ==
        400);
}

TEST_CASE("a body beyond the limit is refused by its length alone") {
  const std::size_t most = protocol::kMaxBodyBytes;
  CHECK(judge_headers("Content-Length: " + std::to_string(most) + "\r\n") ==
        200);
  CHECK(judge_headers("Content-Length: " + std::to_string(most + 1) + "\r\n") ==
        413);
  CHECK(judge_headers("Content-Length: 18446744073709551621\r\n") == 413);
}

TEST_CASE("lines end in CRLF and hold no control characters") {
  CHECK(judge("GET / HTTP/1.1\nHost: h\n\n") == 400);
  CHECK(judge("GET / HTTP/1.1\r\nHost: h\n\r\n") == 400);
  CHECK(judge("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n") == 400);
  CHECK(judge(std::string_view("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", 29)) ==
        400);
  CHECK(judge_headers(std::string_view("X: a\0b\r\n", 8)) == 400);
  CHECK(judge_headers("X: a\rb\r\n") == 400);
  CHECK(judge_headers("X: a\x01\r\n") == 400);
  CHECK(judge_headers("X\r\n") == 400);
  CHECK(judge_headers(": a\r\n") == 400);
  CHECK(judge_headers("X Y: a\r\n") == 400);
  CHECK(judge_headers("X: a\tb \xc3\xa4\r\n") == 200);
}

TEST_CASE("exactly one Host, except under HTTP/1.0") {
  CHECK(judge("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(judge("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n") == 400);
  CHECK(judge("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n") == 400);
}

TEST_CASE("what the server does not do is refused, not ignored") {
  CHECK(judge_headers("Content-Encoding: gzip\r\n") == 415);
  CHECK(judge_headers("Content-Encoding: br\r\n") == 415);
  CHECK(judge_headers("Content-Encoding: Identity\r\n") == 200);
  CHECK(judge_headers("Expect: the-worst\r\n") == 417);
  CHECK(judge_headers(
            "Lamina-Durability: os\r\nLamina-Durability: fsync\r\n") == 400);
}

TEST_CASE("lengths and counts are bounded while the head arrives") {
  const std::string start = "GET / HTTP/1.1\r\nHost: h\r\n";
  const auto line_of = [](std::size_t bytes) {
    return "GET /" + std::string(bytes - 14, 'a') + " HTTP/1.1";
  };
  CHECK(judge(line_of(kMaxRequestLineBytes) + "\r\nHost: h\r\n\r\n") == 200);
  CHECK(judge(line_of(kMaxRequestLineBytes + 1) + "\r\nHost: h\r\n\r\n") ==
        414);
  CHECK(judge("GET /" + std::string(20'000, 'a')) == 414);
  CHECK(judge(start + "X: " + std::string(kMaxHeadBytes, 'a')) == 431);

  std::string many = start;
  for (std::size_t i = 1; i < kMaxHeaderLines; ++i) many += "a: b\r\n";
  CHECK(judge(many + "\r\n") == 200);
  CHECK(judge(many + "a: b\r\n") == 431);
}

TEST_CASE("a head means the same however it is cut into pieces") {
  const std::vector<std::string> heads = {
      "GET /a?b HTTP/1.1\r\nHost: h\r\nX: y\r\n\r\nrest",
      "GET / HTTP/1.1\r\nHost: h\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
      "GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n"};
  for (const std::string& bytes : heads) {
    RequestHead head;
    const int whole = judge(bytes, &head);
    for (std::size_t step : {1u, 2u, 3u, 7u}) {
      CAPTURE(bytes.substr(0, 60));
      CAPTURE(step);
      CHECK(judge(bytes, &head, step) == whole);
    }
  }
}

TEST_CASE("damaged heads are judged without a fault") {
  const std::string good =
      "POST /collections/a/points?wait=true HTTP/1.1\r\nHost: h\r\n"
      "Content-Length: 12\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
  std::uint64_t state = 1;
  const auto next = [&state](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (std::size_t i = 0; i <= next(4); ++i) {
      bytes[next(bytes.size())] = static_cast<char>(next(256));
    }
    bytes.resize(next(bytes.size() + 1));
    RequestHead head;
    static_cast<void>(judge(bytes, &head, 1 + next(40)));
    if (!parse_request_head(bytes, &head)) {
      REQUIRE(head.path.starts_with('/'));
      REQUIRE(head.body_bytes <= protocol::kMaxBodyBytes);
    }
  }
}

}  // namespace
}  // namespace lamina::server
