// What the transport makes of the bytes of requests.

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "running_transport.h"

namespace lamina::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The reply to one request on a connection of its own.
RawReply call(const RunningTransport& server, std::string_view bytes) {
  RawConnection connection = server.connect();
  return connection.call(bytes).value();
}

// As call(), for a request that must be refused: also checks the envelope, and
// that the connection is closed after it.
int refusal_of(const RunningTransport& server, std::string_view bytes) {
  RawConnection connection = server.connect();
  Result<RawReply> reply = connection.call(bytes);
  if (!reply.ok()) {
    FAIL_CHECK(reply.status().to_string());
    return 0;
  }
  CHECK(reply->header("Connection") == "close");
  CHECK(reply->body.starts_with(R"({"status":{"error":")"));
  CHECK(connection.expect_close().ok());
  return reply->status;
}

TEST_CASE("a request arrives as it was sent") {
  RunningTransport server;
  CHECK(call(server, raw_request("PUT", "/a%20b//?c=%2F", "{}",
                                 "Lamina-Durability: fsync\r\n"))
            .body == "PUT /a%20b//?c=%2F [{}]fsync");
  CHECK(call(server, raw_request("BREW", "/pot")).body == "BREW /pot? []");
}

TEST_CASE("responses have few headers, and none of the library's own") {
  RunningTransport server;
  const RawReply reply = call(server, get("/"));
  CHECK(reply.header("Server").starts_with("lamina/"));
  CHECK(reply.header("Content-Type") == "application/json; charset=utf-8");
  CHECK(reply.header("Keep-Alive").empty());
  CHECK(std::count(reply.head.begin(), reply.head.end(), '\n') == 5);
}

TEST_CASE("methods that may have a body are answered at once without one") {
  RunningTransport server;
  RawConnection connection = server.connect();
  for (const char* method : {"DELETE", "POST", "PUT", "PATCH"}) {
    CAPTURE(method);
    const Clock::time_point begin = Clock::now();
    const std::string request =
        std::string(method) + " /a HTTP/1.1\r\nHost: h\r\n\r\n";
    CHECK(connection.call(request).value().body ==
          std::string(method) + " /a? []");
    CHECK(Clock::now() - begin < milliseconds(1000));
  }
}

TEST_CASE("HEAD is answered without a body, and the connection stays in step") {
  RunningTransport server;
  RawConnection connection = server.connect();
  REQUIRE(connection.send(raw_request("HEAD", "/a")).ok());
  const RawReply head = connection.read_reply(true).value();
  CHECK(head.status == 200);
  CHECK(head.header("Content-Length") == "11");
  CHECK(connection.call(get("/b")).value().body == "GET /b? []");
}

TEST_CASE("requests sent ahead are all answered, in order") {
  RunningTransport server;
  RawConnection connection = server.connect();
  std::string requests;
  for (int i = 0; i < 2'000; ++i) {
    requests += raw_request("POST", "/" + std::to_string(i), "body");
  }
  REQUIRE(connection.send(requests).ok());
  for (int i = 0; i < 2'000; ++i) {
    REQUIRE(connection.read_reply().value().body ==
            "POST /" + std::to_string(i) + "? [body]");
  }
}

TEST_CASE("a request may come byte by byte") {
  RunningTransport server;
  RawConnection connection = server.connect();
  for (const char byte : raw_request("POST", "/a", "body")) {
    REQUIRE(connection.send(std::string_view(&byte, 1)).ok());
  }
  CHECK(connection.read_reply().value().body == "POST /a? [body]");
}

TEST_CASE("a large body arrives whole, also in many pieces") {
  RunningTransport server;
  const std::string body(3'000'000, 'x');
  CHECK(call(server, raw_request("POST", "/", body)).body ==
        "POST /? [" + body + "]");
}

TEST_CASE("a form, as curl sends JSON by default, is a body like any other") {
  RunningTransport server;
  const std::string body(9'000, 'x');
  CHECK(call(server,
             raw_request("POST", "/", body,
                         "Content-Type: application/x-www-form-urlencoded\r\n"))
            .body == "POST /? [" + body + "]");
  CHECK(call(server, raw_request("POST", "/", "--x\r\n",
                                 "Content-Type: multipart/form-data; "
                                 "boundary=x\r\n"))
            .body == "POST /? [--x\r\n]");
}

TEST_CASE("nothing is compressed and no range is cut out") {
  RunningTransport server;
  const std::string body(50'000, 'x');
  const RawReply reply =
      call(server, raw_request("POST", "/", body,
                               "Accept-Encoding: gzip, br\r\n"
                               "Range: bytes=0-1,3-4\r\nIf-Range: x\r\n"));
  CHECK(reply.status == 200);
  CHECK(reply.header("Content-Encoding").empty());
  CHECK(reply.body.size() == body.size() + 10);
  CHECK(call(server, get("/", "Range: nonsense\r\n")).status == 200);
}

TEST_CASE("100 Continue is said at once, and only when there is a wait") {
  RunningTransport server;
  RawConnection connection = server.connect();
  REQUIRE(connection
              .send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n"
                    "Expect: 100-continue\r\n\r\n")
              .ok());
  CHECK(connection.read_reply().value().status == 100);
  CHECK(connection.call("body").value().body == "POST /? [body]");
  CHECK(connection
            .call(raw_request("POST", "/", "body", "Expect: 100-continue\r\n"))
            .value()
            .status == 200);
}

TEST_CASE(
    "what is not framed beyond doubt is refused and ends the connection") {
  RunningTransport server;
  const std::string start = "POST / HTTP/1.1\r\nHost: h\r\n";
  CHECK(refusal_of(server, start + "Transfer-Encoding: gzip, chunked\r\n\r\n"
                                   "5\r\nhello\r\n0\r\n\r\n") == 411);
  CHECK(refusal_of(server, start + "Transfer-Encoding: chunked\r\n\r\n"
                                   "-2\r\nhello\r\n0\r\n\r\n") == 400);
  CHECK(refusal_of(server, start + "Content-Length: 5\r\n"
                                   "Transfer-Encoding: chunked\r\n\r\n"
                                   "0\r\n\r\nGET /x HTTP/1.1\r\n\r\n") == 400);
  CHECK(refusal_of(server, start + "Content-Length: 1\r\n"
                                   "Content-Length: 2\r\n\r\nab") == 400);
  CHECK(refusal_of(server, "GET / HTTP/1.1\nHost: h\n\n") == 400);
  CHECK(refusal_of(server, start + "Expect: more\r\n\r\n") == 417);
  CHECK(refusal_of(server, start + "Content-Encoding: gzip\r\n"
                                   "Content-Length: 4\r\n\r\nabcd") == 415);
  CHECK(refusal_of(server, "GET /" + std::string(20'000, 'a')) == 414);
  CHECK(refusal_of(server, start + "X: " + std::string(40'000, 'a')) == 431);
  CHECK(refusal_of(server, "\x16\x03\x01 TLS hello\r\n\r\n") == 400);
}

TEST_CASE("a body in chunks arrives whole, in whatever pieces they come") {
  RunningTransport server;
  RawConnection connection = server.connect();
  const std::string start =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string large(200'000, 'x');  // More than a buffer of the server.
  REQUIRE(connection
              .send(start + "5\r\nhello\r\n30d40\r\n" + large +
                    "\r\n0\r\n\r\n" + get("/next"))
              .ok());
  CHECK(connection.read_reply().value().body == "POST /? [hello" + large + "]");
  CHECK(connection.read_reply().value().body == "GET /next? []");
  for (const char byte : start + "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n") {
    REQUIRE(connection.send(std::string_view(&byte, 1)).ok());
  }
  CHECK(connection.read_reply().value().body == "POST /? [abc0123456789]");
}

TEST_CASE("100 Continue is said before chunks, too") {
  RunningTransport server;
  RawConnection connection = server.connect();
  REQUIRE(connection
              .send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n")
              .ok());
  CHECK(connection.read_reply().value().status == 100);
  CHECK(connection.call("4\r\nbody\r\n0\r\n\r\n").value().body ==
        "POST /? [body]");
}

TEST_CASE("a client that sends too much still reads why it was refused") {
  RunningTransport server;
  const std::string body(33'000'000 * 2, 'x');
  CHECK(refusal_of(server, raw_request("POST", "/", body)) == 413);
}

TEST_CASE("an endless line is cut off") {
  RunningTransport server;
  RawConnection connection = server.connect();
  const std::string piece(1 << 16, 'a');
  Status sent = connection.send("GET / HTTP/1.1\r\nX: ");
  for (int i = 0; i < 16 && sent.ok(); ++i) sent = connection.send(piece);
  CHECK(connection.read_reply().value().status == 431);
}

TEST_CASE("a client that never stops sending is cut off after its refusal") {
  server::TransportOptions options;
  options.deadlines.linger = milliseconds(200);
  RunningTransport server(options);
  RawConnection connection = server.connect();
  const std::string piece(1 << 16, 'a');
  const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
  while (connection.send(piece).ok() && Clock::now() < end) {
  }
  CHECK(Clock::now() < end);
}

TEST_CASE("a slow head and a slow body end at their deadline") {
  server::TransportOptions options;
  options.deadlines.head = milliseconds(150);
  options.deadlines.request = milliseconds(150);
  RunningTransport server(options);
  const std::string request = raw_request("POST", "/", "a body of some length");
  const std::size_t head_size = request.find("\r\n\r\n") + 4;
  for (const std::size_t sent_first : {std::size_t{10}, head_size + 3}) {
    CAPTURE(sent_first);
    RawConnection connection = server.connect();
    REQUIRE(connection.send(request.substr(0, sent_first)).ok());
    // A byte now and then must not stretch the deadline.
    const Clock::time_point begin = Clock::now();
    for (std::size_t i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(milliseconds(50));
      static_cast<void>(connection.send(request.substr(sent_first + i, 1)));
    }
    CHECK(connection.read_reply().value().status == 408);
    CHECK(Clock::now() - begin < milliseconds(5'000));
  }
}

TEST_CASE("a body that comes too slowly ends before its time is over") {
  server::TransportOptions options;
  options.deadlines.behind = milliseconds(150);
  RunningTransport server(options);
  for (const std::string framing :
       {"Content-Length: 500\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1f4\r\n"}) {
    CAPTURE(framing);
    RawConnection connection = server.connect();
    const Clock::time_point begin = Clock::now();
    Status sent = connection.send("POST / HTTP/1.1\r\nHost: h\r\n" + framing);
    for (int i = 0; i < 8 && sent.ok(); ++i) {
      std::this_thread::sleep_for(milliseconds(50));
      sent = connection.send("x");
    }
    CHECK(connection.read_reply().value().status == 408);
    CHECK(Clock::now() - begin < milliseconds(5'000));
  }
}

TEST_CASE("a body that keeps the rate may take longer than one that does not") {
  server::TransportOptions options;
  options.deadlines.behind = milliseconds(150);
  options.deadlines.min_body_rate = 10'000;
  RunningTransport server(options);
  RawConnection connection = server.connect();
  const std::string piece(2'000, 'x');  // 40 kB a second.
  REQUIRE(connection
              .send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20000\r\n"
                    "\r\n")
              .ok());
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    REQUIRE(connection.send(piece).ok());
  }
  CHECK(connection.read_reply().value().status == 200);
}

TEST_CASE("a client that does not read its answer is given up") {
  server::TransportOptions options;
  options.deadlines.send = milliseconds(200);
  RunningTransport server(
      [](const server::Request&) {
        return reply_with(std::string(50'000'000, 'x'));
      },
      options);
  RawConnection connection = server.connect();
  REQUIRE(connection.send(get("/")).ok());
  std::this_thread::sleep_for(milliseconds(600));
  CHECK_FALSE(connection.read_reply().ok());
}

TEST_CASE("what a handler throws is not told to the client") {
  RunningTransport server(
      [](const server::Request&) -> server::Reply {
        throw std::runtime_error("secret");
      },
      {});
  const RawReply reply = call(server, get("/"));
  CHECK(reply.status == 500);
  CHECK(reply.body.find("Service internal error") != std::string::npos);
  CHECK((reply.head + reply.body).find("secret") == std::string::npos);
}

}  // namespace
}  // namespace lamina::test
