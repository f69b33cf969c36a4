#include "beast_transport.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <string>
#include <thread>

#include "fault_server.h"
#include "protocol/paths.h"

namespace lamina::client {
namespace {

using std::chrono::milliseconds;
using test::FaultServer;
using test::http_reply;
using test::Peer;

constexpr std::size_t kMaxReplyBytes = 100'000;
const HttpRequest kGet{.method = "GET", .target = "/x"};

Deadline after(milliseconds time) { return Clock::now() + time; }

Result<std::unique_ptr<Connection>> connect_to(
    std::uint16_t port, Deadline deadline = after(milliseconds(10'000))) {
  const Url url{.host = "127.0.0.1", .port = port, .prefix = ""};
  return make_beast_transport(url, {.connect_timeout = milliseconds(2'000),
                                    .max_reply_bytes = kMaxReplyBytes})
      ->connect(deadline);
}

// A server that answers every request with the same bytes, and after `closes`
// closes.
FaultServer::Script reply_with(std::string bytes, bool closes = false) {
  return [=](Peer& peer) {
    while (peer.read_request()) {
      peer.send(bytes);
      if (closes) return;
    }
  };
}

// One exchange with a server that runs `script`, and what it left.
struct Outcome {
  Result<HttpReply> reply;
  ConnectionState state;
};

Outcome exchange_with(FaultServer::Script script,
                      const HttpRequest& request = kGet) {
  FaultServer server(std::move(script));
  // As a Client does, the transport outlives its connections.
  const auto transport = make_beast_transport(
      Url{.host = "127.0.0.1", .port = server.port(), .prefix = ""},
      {.connect_timeout = milliseconds(2'000),
       .max_reply_bytes = kMaxReplyBytes});
  const auto connection =
      transport->connect(after(milliseconds(10'000))).value();
  Result<HttpReply> reply =
      connection->exchange(request, after(milliseconds(10'000)));
  return {std::move(reply), connection->state()};
}

TEST_CASE(
    "a reply with a length is read whole and leaves the connection open") {
  const Outcome outcome = exchange_with(
      reply_with(http_reply(200, "{\"a\":1}", "Lamina-Durable: true\r\n")));
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->status == 200);
  CHECK(outcome.reply->body == "{\"a\":1}");
  CHECK(outcome.reply->durable);
  CHECK(outcome.state == ConnectionState::open);
}

TEST_CASE("header names are read in any case") {
  const Outcome outcome = exchange_with(
      reply_with(http_reply(404, "", "lamina-STATUS: not_found\r\n")));
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->status == 404);
  CHECK(outcome.reply->lamina_status == "not_found");
}

TEST_CASE("a chunked reply is put together") {
  const Outcome outcome = exchange_with(
      reply_with("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"));
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->body == "abcde");
  CHECK(outcome.state == ConnectionState::open);
}

TEST_CASE("a reply may come in pieces of one byte") {
  const Outcome outcome = exchange_with([](Peer& peer) {
    peer.read_request();
    for (const char byte : http_reply(200, "abc")) {
      peer.send(std::string_view(&byte, 1));
    }
    peer.wait_for_close();
  });
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->body == "abc");
}

TEST_CASE("a reply that ends with the connection is read, and not kept open") {
  const Outcome outcome =
      exchange_with(reply_with("HTTP/1.1 200 OK\r\n\r\nabc", true));
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->body == "abc");
  CHECK(outcome.state == ConnectionState::closed);
}

TEST_CASE("a connection that the server is about to close is not kept") {
  const Outcome outcome =
      exchange_with(reply_with(http_reply(200, "", "Connection: close\r\n")));
  CHECK(outcome.reply.ok());
  CHECK(outcome.state == ConnectionState::closed);
}

TEST_CASE("bytes behind the reply make the connection useless") {
  const Outcome outcome =
      exchange_with(reply_with(http_reply(200, "a") + http_reply(200, "b")));
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->body == "a");
  CHECK(outcome.state == ConnectionState::closed);
}

TEST_CASE("an interim reply that nobody asked for is not kept open") {
  const Outcome outcome =
      exchange_with(reply_with("HTTP/1.1 100 Continue\r\n\r\n"));
  CHECK(outcome.state == ConnectionState::closed);
}

TEST_CASE("nobody listening is unavailable") {
  const auto connection = connect_to(test::unused_port());
  REQUIRE_FALSE(connection.ok());
  CHECK(connection.status().code() == StatusCode::unavailable);
}

TEST_CASE("closing before a reply is unavailable and told apart") {
  const Outcome outcome =
      exchange_with([](Peer& peer) { peer.read_request(); });
  CHECK(outcome.reply.status().code() == StatusCode::unavailable);
  CHECK(outcome.state == ConnectionState::closed_before_reply);
}

TEST_CASE("a reset before a reply is unavailable and told apart") {
  const Outcome outcome = exchange_with([](Peer& peer) {
    peer.read_request();
    peer.close_by_reset();
  });
  CHECK(outcome.reply.status().code() == StatusCode::unavailable);
  CHECK(outcome.state == ConnectionState::closed_before_reply);
}

TEST_CASE("closing within the head or the body is unavailable") {
  for (const char* part :
       {"H", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    CAPTURE(part);
    const Outcome outcome = exchange_with(reply_with(part, true));
    CHECK(outcome.reply.status().code() == StatusCode::unavailable);
    CHECK(outcome.state == ConnectionState::closed);
  }
}

TEST_CASE("what is not HTTP is internal") {
  for (const char* garbage :
       {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "\r\n\r\n\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    CAPTURE(garbage);
    const Outcome outcome = exchange_with(reply_with(garbage));
    CHECK(outcome.reply.status().code() == StatusCode::internal);
    CHECK(outcome.state == ConnectionState::closed);
  }
}

TEST_CASE("a head without end is internal, not endless memory") {
  const Outcome outcome = exchange_with(
      reply_with("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x')));
  CHECK(outcome.reply.status().code() == StatusCode::internal);
}

TEST_CASE("a reply beyond the limit is refused before it is read") {
  for (const std::string& reply :
       {std::string("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\n"
                    "Content-Length: 9223372036854775807\r\n\r\n"),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n" +
            std::string(0x20000, 'x') + "\r\n0\r\n\r\n"}) {
    const Outcome outcome = exchange_with(reply_with(reply));
    CHECK(outcome.reply.status().code() == StatusCode::resource_exhausted);
    CHECK(outcome.state == ConnectionState::closed);
  }
}

TEST_CASE("a reply at the limit is read") {
  const Outcome outcome = exchange_with(
      reply_with(http_reply(200, std::string(kMaxReplyBytes, 'x'))));
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->body.size() == kMaxReplyBytes);
}

// Runs one exchange with a deadline of 150 ms and checks that it ends about
// then, as deadline_exceeded.
void check_ends_at_deadline(FaultServer::Script script,
                            const HttpRequest& request = kGet) {
  FaultServer server(std::move(script));
  const auto transport = make_beast_transport(
      Url{.host = "127.0.0.1", .port = server.port(), .prefix = ""},
      {.connect_timeout = milliseconds(2'000),
       .max_reply_bytes = std::size_t{1} << 40});
  const auto connection =
      transport->connect(after(milliseconds(10'000))).value();
  const Clock::time_point start = Clock::now();
  const auto reply = connection->exchange(request, start + milliseconds(150));
  const auto elapsed = Clock::now() - start;
  CHECK(reply.status().code() == StatusCode::deadline_exceeded);
  CHECK(connection->state() == ConnectionState::closed);
  CHECK(elapsed >= milliseconds(150));
  CHECK(elapsed < milliseconds(3'000));
}

TEST_CASE("a server that says nothing does not outlast the deadline") {
  check_ends_at_deadline([](Peer& peer) { peer.wait_for_close(); });
}

TEST_CASE(
    "a server that stops within the reply does not outlast the deadline") {
  check_ends_at_deadline([](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    peer.wait_for_close();
  });
}

TEST_CASE("a reply that trickles does not outlast the deadline") {
  check_ends_at_deadline([](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    for (int i = 0; i < 100; ++i) {
      peer.send("x");
      std::this_thread::sleep_for(milliseconds(10));
    }
  });
}

TEST_CASE("a server that does not read does not outlast the deadline") {
  const std::string body(32u << 20, 'x');
  std::atomic<bool> is_over = false;
  check_ends_at_deadline(
      [&](Peer&) {
        for (int i = 0; i < 500 && !is_over; ++i) {
          std::this_thread::sleep_for(milliseconds(2));
        }
      },
      {.method = "PUT", .target = "/x", .body = body});
  is_over = true;
}

TEST_CASE("the request names host, length and type, and durability if asked") {
  std::string seen;
  const Outcome outcome = exchange_with(
      [&](Peer& peer) {
        seen = peer.read_request().value_or("");
        peer.send(http_reply(200, ""));
      },
      {.method = "PUT",
       .target = "/x?wait=true",
       .body = "{}",
       .durability = "fsync"});
  REQUIRE(outcome.reply.ok());
  CHECK(seen.starts_with("PUT /x?wait=true HTTP/1.1\r\nHost: 127.0.0.1:"));
  CHECK(seen.find("\r\nContent-Length: 2\r\n") != seen.npos);
  CHECK(seen.find("\r\nContent-Type: application/json") != seen.npos);
  CHECK(seen.find("\r\nLamina-Durability: fsync\r\n") != seen.npos);
  CHECK(seen.ends_with("\r\n\r\n{}"));
}

TEST_CASE("a body that the kernel takes in pieces arrives whole") {
  std::string body(16u << 20, 'x');
  for (std::size_t i = 0; i < body.size(); i += 1'000) body[i] = 'y';
  std::string seen;
  const Outcome outcome = exchange_with(
      [&](Peer& peer) {
        seen = peer.read_request().value_or("");
        peer.send(http_reply(200, ""));
      },
      {.method = "PUT", .target = "/x", .body = body});
  REQUIRE(outcome.reply.ok());
  const bool is_whole = seen.ends_with("\r\n\r\n" + body);
  CHECK(is_whole);
}

TEST_CASE("a request without a body says that it has none") {
  std::string seen;
  exchange_with(
      [&](Peer& peer) {
        seen = peer.read_request().value_or("");
        peer.send(http_reply(200, ""));
      },
      {.method = "DELETE", .target = "/x"});
  CHECK(seen.find("\r\nContent-Length: 0\r\n") != seen.npos);
  CHECK(seen.find("Content-Type") == seen.npos);
  CHECK(seen.find("Lamina-Durability") == seen.npos);
}

TEST_CASE("an answer given before the request was read is heard") {
  const std::string body(16u << 20, 'x');
  const Outcome outcome = exchange_with(
      [](Peer& peer) {
        peer.send(http_reply(413, "", "Connection: close\r\n"));
        // Closing with the request unread makes the client's sending fail.
      },
      {.method = "PUT", .target = "/x", .body = body});
  REQUIRE(outcome.reply.ok());
  CHECK(outcome.reply->status == 413);
  CHECK(outcome.state == ConnectionState::closed);
}

TEST_CASE("a peer that closes while we send raises no signal") {
  struct sigaction before {};
  REQUIRE(::sigaction(SIGPIPE, nullptr, &before) == 0);
  REQUIRE((before.sa_handler == SIG_DFL));  // A SIGPIPE would end this program.
  const std::string body(16u << 20, 'x');
  for (int round = 0; round < 5; ++round) {
    const Outcome outcome = exchange_with(
        [](Peer& peer) {
          peer.receive();  // The first bytes: the rest is still being sent.
          // An end and then a reset is what the kernel answers with SIGPIPE.
          peer.finish_sending();
          peer.close_by_reset();
        },
        {.method = "PUT", .target = "/x", .body = body});
    CHECK(outcome.reply.status().code() == StatusCode::unavailable);
  }
  struct sigaction now {};
  REQUIRE(::sigaction(SIGPIPE, nullptr, &now) == 0);
  CHECK((now.sa_handler == SIG_DFL));
}

TEST_CASE("a name that resolves to several addresses reaches the one served") {
  FaultServer server(reply_with(http_reply(200, "")));
  const auto transport = make_beast_transport(
      Url{.host = "localhost", .port = server.port(), .prefix = ""},
      {.connect_timeout = milliseconds(2'000),
       .max_reply_bytes = kMaxReplyBytes});
  const auto connection = transport->connect(after(milliseconds(10'000)));
  REQUIRE(connection.ok());
  CHECK((*connection)->exchange(kGet, after(milliseconds(10'000))).ok());
}

TEST_CASE("a host that does not exist is unavailable") {
  const auto transport = make_beast_transport(
      Url{.host = "256.256.256.256", .port = 1, .prefix = ""},
      {.connect_timeout = milliseconds(100),
       .max_reply_bytes = kMaxReplyBytes});
  const auto connection = transport->connect(after(milliseconds(10'000)));
  REQUIRE_FALSE(connection.ok());
  CHECK(connection.status().code() == StatusCode::unavailable);
}

TEST_CASE("what came since the last reply is noticed") {
  FaultServer server([](Peer& peer) {
    peer.read_request();
    peer.send(http_reply(200, ""));
  });
  const auto transport = make_beast_transport(
      Url{.host = "127.0.0.1", .port = server.port(), .prefix = ""},
      {.connect_timeout = milliseconds(2'000),
       .max_reply_bytes = kMaxReplyBytes});
  const auto connection =
      transport->connect(after(milliseconds(10'000))).value();
  CHECK(connection->is_quiet());
  REQUIRE(connection->exchange(kGet, after(milliseconds(10'000))).ok());
  for (int i = 0; i < 1'000 && connection->is_quiet(); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  CHECK_FALSE(connection->is_quiet());
}

}  // namespace
}  // namespace lamina::client
