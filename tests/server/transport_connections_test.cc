// How the transport treats connections: many, idle, kept and closed.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "running_transport.h"

namespace lamina::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

TEST_CASE("a connection serves many requests, none of them delayed") {
  RunningTransport server;
  RawConnection connection = server.connect();
  int delayed = 0;
  for (int i = 0; i < 400; ++i) {
    const Clock::time_point begin = Clock::now();
    REQUIRE(connection.call(raw_request("POST", "/", "body")).value().status ==
            200);
    const auto took = Clock::now() - begin;
    // The time of a delayed acknowledgement.
    delayed += took >= milliseconds(38) && took <= milliseconds(50);
  }
  // One may be the machine's own pause; Nagle's would be nearly all.
  CHECK(delayed <= 2);
}

TEST_CASE("a client that asks for it is disconnected after the answer") {
  RunningTransport server;
  for (const std::string& request : {get("/", "Connection: close\r\n"),
                                     std::string("GET / HTTP/1.0\r\n\r\n")}) {
    RawConnection connection = server.connect();
    const RawReply reply = connection.call(request).value();
    CHECK(reply.status == 200);
    CHECK(reply.header("Connection") == "close");
    CHECK(connection.expect_close().ok());
  }
}

TEST_CASE("an idle connection is closed after its time") {
  server::TransportOptions options;
  options.deadlines.idle = milliseconds(100);
  RunningTransport server(options);
  RawConnection fresh = server.connect();
  RawConnection used = server.connect();
  CHECK(used.call(get("/")).value().status == 200);
  CHECK(fresh.expect_close().ok());
  CHECK(used.expect_close().ok());
}

TEST_CASE("64 idle connections do not keep a new one waiting") {
  RunningTransport server;
  std::vector<RawConnection> idle;
  for (int i = 0; i < 64; ++i) {
    idle.push_back(server.connect());
    REQUIRE(idle.back().call(get("/")).ok());
  }
  RawConnection connection = server.connect();
  connection.set_patience(milliseconds(1'000));
  CHECK(connection.call(get("/")).value().status == 200);
}

// Starts a request on each of them and does not end it.
std::vector<RawConnection> slow_senders(const RunningTransport& server,
                                        int count) {
  std::vector<RawConnection> senders;
  for (int i = 0; i < count; ++i) {
    senders.push_back(server.connect());
    const std::string request = raw_request("POST", "/", "a body");
    REQUIRE(senders.back()
                .send(request.substr(0, i % 2 == 0 ? 20 : request.size() - 3))
                .ok());
  }
  return senders;
}

TEST_CASE("senders of half a request take no thread, and may end it later") {
  server::TransportOptions options;
  options.max_workers = 2;
  RunningTransport server(options);
  std::vector<RawConnection> senders = slow_senders(server, 64);
  for (int i = 0; i < 20; ++i) {
    RawConnection connection = server.connect();
    connection.set_patience(milliseconds(8'000));
    REQUIRE(connection.call(get("/")).value().status == 200);
  }
  const std::string request = raw_request("POST", "/", "a body");
  for (std::size_t i = 0; i < senders.size(); ++i) {
    REQUIRE(senders[i]
                .call(request.substr(i % 2 == 0 ? 20 : request.size() - 3))
                .value()
                .body == "POST /? [a body]");
  }
}

TEST_CASE("clients that do not read their answer take no thread") {
  server::TransportOptions options;
  options.max_workers = 2;
  RunningTransport server(
      [](const server::Request& request) {
        return reply_with(
            std::string(request.path == "/large" ? 10'000'000 : 1, 'x'));
      },
      options);
  std::vector<RawConnection> readers;
  for (int i = 0; i < 8; ++i) {
    readers.push_back(server.connect());
    REQUIRE(readers.back().send(get("/large")).ok());
  }
  for (int i = 0; i < 20; ++i) {
    RawConnection connection = server.connect();
    connection.set_patience(milliseconds(8'000));
    REQUIRE(connection.call(get("/small")).value().status == 200);
  }
  for (RawConnection& reader : readers) {
    REQUIRE(reader.read_reply().value().body.size() == 10'000'000);
  }
}

TEST_CASE("more working clients than threads are all served") {
  server::TransportOptions options;
  options.max_workers = 3;
  RunningTransport server(options);
  std::vector<RawConnection> clients;
  for (int i = 0; i < 24; ++i) clients.push_back(server.connect());
  for (int round = 0; round < 20; ++round) {
    for (RawConnection& client : clients) REQUIRE(client.send(get("/")).ok());
    for (RawConnection& client : clients) {
      REQUIRE(client.read_reply().value().status == 200);
    }
  }
}

TEST_CASE("threads that stay with their connection are not all threads") {
  server::TransportOptions options;
  options.max_workers = 2;
  options.stay = milliseconds(20'000);
  RunningTransport server(options);
  std::vector<RawConnection> clients;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(server.connect());
    clients.back().set_patience(milliseconds(5'000));
    REQUIRE(clients.back().call(get("/")).value().status == 200);
  }
}

TEST_CASE("a client that sends ahead does not keep the others waiting") {
  server::TransportOptions options;
  options.max_workers = 1;
  std::atomic<int> flooded{0};
  RunningTransport server(
      [&](const server::Request& request) {
        if (request.path == "/flood") {
          ++flooded;
          std::this_thread::sleep_for(milliseconds(1));
        }
        return reply_with("x");
      },
      options);
  RawConnection ahead = server.connect();
  std::string requests;
  for (int i = 0; i < 1'000; ++i) requests += get("/flood");
  REQUIRE(ahead.send(requests).ok());
  RawConnection connection = server.connect();
  REQUIRE(connection.call(get("/")).value().status == 200);
  CHECK(flooded < 900);
  for (int i = 0; i < 1'000; ++i) {
    REQUIRE(ahead.read_reply().value().status == 200);
  }
}

TEST_CASE("a thread that asks for the next request again and again finds it") {
  server::TransportOptions options;
  options.busy_poll_us = 2'000;
  RunningTransport server(options);
  RawConnection connection = server.connect();
  for (int i = 0; i < 20; ++i) {
    REQUIRE(connection.call(get("/")).value().status == 200);
    std::this_thread::sleep_for(milliseconds(i % 4));
  }
}

TEST_CASE("bytes that wait for their turn cost no time of a processor") {
  RunningTransport server(
      [](const server::Request&) {
        std::this_thread::sleep_for(milliseconds(400));
        return reply_with("x");
      },
      {});
  RawConnection connection = server.connect();
  REQUIRE(connection.send(get("/")).ok());
  std::this_thread::sleep_for(milliseconds(50));
  const std::clock_t before = std::clock();
  REQUIRE(connection.call(get("/")).value().status == 200);
  CHECK(std::clock() - before < CLOCKS_PER_SEC / 10);
}

TEST_CASE("a connection is kept over pauses of any length") {
  server::TransportOptions options;
  options.stay = milliseconds(5);
  RunningTransport server(options);
  RawConnection connection = server.connect();
  for (int pause_ms : {0, 1, 4, 5, 6, 20, 50}) {
    std::this_thread::sleep_for(milliseconds(pause_ms));
    REQUIRE(connection.call(get("/")).value().status == 200);
  }
}

TEST_CASE(
    "connections beyond the limit get 503, and room again when one ends") {
  server::TransportOptions options;
  options.max_connections = 4;
  RunningTransport server(options);
  std::vector<std::optional<RawConnection>> served;
  for (int i = 0; i < 4; ++i) {
    served.emplace_back(server.connect());
    REQUIRE(served.back()->call(get("/")).ok());
  }
  {
    std::vector<RawConnection> refused;
    for (int i = 0; i < 20; ++i) refused.push_back(server.connect());
    for (RawConnection& connection : refused) {
      const RawReply reply = connection.read_reply().value();
      CHECK(reply.status == 503);
      CHECK(reply.header("Retry-After") == "1");
      CHECK(reply.header("Connection") == "close");
    }
  }
  CHECK(served.front()->call(get("/")).value().status == 200);

  served.front().reset();
  int status = 503;
  for (int i = 0; i < 200 && status == 503; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
    RawConnection connection = server.connect();
    Result<RawReply> reply = connection.call(get("/"));
    if (reply.ok()) status = reply->status;
  }
  CHECK(status == 200);
}

TEST_CASE("a port that is taken is unavailable") {
  RunningTransport server;
  server::HttplibTransport second(
      [](const server::Request&) { return server::Reply(); });
  const Status bound = second.bind("127.0.0.1", server.port());
  CHECK(bound.code() == StatusCode::unavailable);
  CHECK(bound.message().find(std::to_string(server.port())) !=
        std::string::npos);
}

TEST_CASE("an address that is not ours is unavailable") {
  server::HttplibTransport transport(
      [](const server::Request&) { return server::Reply(); });
  CHECK(transport.bind("192.0.2.1", 0).code() == StatusCode::unavailable);
}

TEST_CASE("clients that vanish at any point harm nobody") {
  RunningTransport server;
  const std::string request = raw_request("POST", "/a", "body");
  for (std::size_t size = 0; size <= request.size(); ++size) {
    RawConnection connection = server.connect();
    REQUIRE(connection.send(request.substr(0, size)).ok());
    if (size % 2 == 0) connection.finish_sending();
  }
  CHECK(server.connect().call(get("/")).value().status == 200);
}

}  // namespace
}  // namespace lamina::test
