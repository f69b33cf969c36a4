// How the transport ends.

#include <doctest/doctest.h>

#include <chrono>
#include <latch>
#include <string>
#include <vector>

#include "running_transport.h"

namespace lamina::test {
namespace {

using std::chrono::milliseconds;

TEST_CASE("idle connections do not hold up the end") {
  RunningTransport server;
  std::vector<RawConnection> idle;
  for (int i = 0; i < 16; ++i) {
    idle.push_back(server.connect());
    REQUIRE(idle.back().call(get("/")).ok());
  }
  CHECK(server.stop().ok());
  CHECK(server.stop_duration() < milliseconds(1'000));
  for (RawConnection& connection : idle) CHECK(connection.expect_close().ok());
}

TEST_CASE("a request under way is answered, with Connection: close") {
  std::latch begun(1);
  std::latch release(1);
  RunningTransport server(
      [&](const server::Request&) {
        begun.count_down();
        release.wait();
        return reply_with("done");
      },
      {});
  RawConnection connection = server.connect();
  REQUIRE(connection.send(get("/")).ok());
  begun.wait();
  server.transport().stop();
  release.count_down();
  const RawReply reply = connection.read_reply().value();
  CHECK(reply.body == "done");
  CHECK(reply.header("Connection") == "close");
  CHECK(connection.expect_close().ok());
  CHECK(server.stop().ok());
}

TEST_CASE("a request that is still arriving is waited for") {
  RunningTransport server;
  RawConnection connection = server.connect();
  const std::string request = raw_request("POST", "/", "body");
  REQUIRE(connection.send(request.substr(0, 20)).ok());
  // Another connection is served to its end: the first bytes were seen by then.
  REQUIRE(server.connect().call(get("/", "Connection: close\r\n")).ok());
  std::this_thread::sleep_for(milliseconds(50));
  server.transport().stop();
  std::this_thread::sleep_for(milliseconds(50));
  CHECK(connection.call(request.substr(20)).value().body == "POST /? [body]");
}

TEST_CASE("a request that does not arrive ends with the drain time") {
  server::TransportOptions options;
  options.deadlines.drain = milliseconds(100);
  RunningTransport server(options);
  RawConnection connection = server.connect();
  REQUIRE(connection.send("GET / HT").ok());
  std::this_thread::sleep_for(milliseconds(50));
  CHECK(server.stop().ok());
  // The linger time follows, until the client closes; less than the 10 s that
  // a head may take.
  CHECK(server.stop_duration() < milliseconds(5'000));
}

TEST_CASE("stop works before serve, after it, and more than once") {
  server::HttplibTransport transport(
      [](const server::Request&) { return server::Reply(); });
  REQUIRE(transport.bind("127.0.0.1", 0).ok());
  transport.stop();
  transport.stop();
  CHECK(transport.serve().ok());
  transport.stop();
}

TEST_CASE("starting and stopping at once neither hangs nor leaks") {
  for (int i = 0; i < 100; ++i) {
    RunningTransport server;
    REQUIRE(server.stop().ok());
    REQUIRE(server.stop_duration() < milliseconds(2'000));
  }
}

}  // namespace
}  // namespace lamina::test
