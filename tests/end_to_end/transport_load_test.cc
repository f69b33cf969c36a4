// A real server with many clients that are idle, slow or gone.

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/raw_http.h"
#include "support/server_process.h"

namespace lamina::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::unique_ptr<ServerProcess> start() {
  return std::move(ServerProcess::start()).value();
}

RawConnection connect(const ServerProcess& server) {
  return RawConnection::open(server.port()).value();
}

std::vector<RawConnection> idle_connections(const ServerProcess& server,
                                            int count) {
  std::vector<RawConnection> idle;
  for (int i = 0; i < count; ++i) {
    idle.push_back(connect(server));
    // Some have had an answer before, some have not.
    if (i % 2 == 0) REQUIRE(idle.back().call(raw_request("GET", "/")).ok());
  }
  return idle;
}

// The sum of the numbers behind a word in the status of each thread.
std::size_t sum_over_threads(const ServerProcess& server,
                             std::string_view wanted) {
  std::size_t sum = 0;
  for (const auto& thread : std::filesystem::directory_iterator(
           "/proc/" + std::to_string(server.pid()) + "/task")) {
    std::ifstream status(thread.path() / "status");
    std::string word;
    while (status >> word) {
      std::size_t number = 0;
      if (word == wanted && status >> number) sum += number;
    }
  }
  return sum;
}

std::size_t wake_ups(const ServerProcess& server) {
  return sum_over_threads(server, "voluntary_ctxt_switches:");
}

TEST_CASE("idle connections wake nobody up") {
  const std::unique_ptr<ServerProcess> server = start();
  const std::vector<RawConnection> idle = idle_connections(*server, 400);
  std::this_thread::sleep_for(milliseconds(200));
  const std::size_t before = wake_ups(*server);
  std::this_thread::sleep_for(milliseconds(500));
  CHECK(wake_ups(*server) - before < 40);
}

TEST_CASE("many idle connections are served by few threads") {
  const std::unique_ptr<ServerProcess> server = start();
  std::vector<RawConnection> idle = idle_connections(*server, 400);
  for (RawConnection& connection : idle) {
    REQUIRE(connection.send(raw_request("GET", "/v1/noop")).ok());
  }
  for (RawConnection& connection : idle) {
    REQUIRE(connection.read_reply().value().status == 200);
  }
  const auto threads = std::filesystem::directory_iterator(
      "/proc/" + std::to_string(server->pid()) + "/task");
  CHECK(std::distance(begin(threads), end(threads)) < 100);
}

// The server with clients that have sent half a request and such that do not
// read.
std::vector<RawConnection> bad_clients(const ServerProcess& server) {
  std::vector<RawConnection> clients;
  for (int i = 0; i < 80; ++i) {
    clients.push_back(connect(server));
    const std::string_view sent =
        i % 2 == 0 ? "POST /v1/noop HTTP/1.1\r\nHost: localhost\r\n"
                   : "POST /v1/noop HTTP/1.1\r\nHost: localhost\r\n"
                     "Content-Length: 10\r\n\r\nhalf";
    REQUIRE(clients.back().send(sent).ok());
  }
  // Without reading, many answers to it fill every buffer on the way.
  clients.push_back(connect(server));
  clients.back().set_patience(milliseconds(300));
  std::string requests;
  for (int i = 0; i < 10'000; ++i) {
    requests += raw_request("GET", "/openapi.json");
  }
  static_cast<void>(clients.back().send(requests));
  return clients;
}

TEST_CASE("slow clients keep neither others waiting nor the server running") {
  const std::unique_ptr<ServerProcess> server = start();
  const std::vector<RawConnection> clients = bad_clients(*server);
  for (int i = 0; i < 20; ++i) {
    RawConnection connection = connect(*server);
    connection.set_patience(seconds(8));
    REQUIRE(connection.call(raw_request("GET", "/v1/noop")).value().status ==
            200);
  }
  const Clock::time_point begin = Clock::now();
  CHECK(server->terminate().value().code == 0);
  CHECK(Clock::now() - begin < seconds(8));
}

TEST_CASE("connections for which there is no descriptor wait for one") {
  const std::unique_ptr<ServerProcess> server = start();
  const rlimit few = {40, 40};
  REQUIRE(prlimit(server->pid(), RLIMIT_NOFILE, &few, nullptr) == 0);
  std::vector<RawConnection> clients;
  for (int i = 0; i < 80; ++i) clients.push_back(connect(*server));
  const std::string request = raw_request("GET", "/v1/noop");
  CHECK(clients.front().call(request).value().status == 200);
  RawConnection last = std::move(clients.back());
  last.set_patience(milliseconds(200));
  CHECK_FALSE(last.call(request).ok());
  clients.clear();
  last.set_patience(seconds(8));
  CHECK(last.read_reply().value().status == 200);
  CHECK(server->terminate().value().code == 0);
}

TEST_CASE("a second signal does not wait for slow clients") {
  const std::unique_ptr<ServerProcess> server = start();
  RawConnection slow = connect(*server);
  REQUIRE(slow.send("GET / HT").ok());
  REQUIRE(connect(*server).call(raw_request("GET", "/v1/noop")).ok());
  server->send_signal(SIGTERM);
  std::this_thread::sleep_for(milliseconds(100));
  server->send_signal(SIGTERM);
  const Clock::time_point begin = Clock::now();
  CHECK(server->wait(seconds(10)).value().code == 128 + SIGTERM);
  CHECK(Clock::now() - begin < seconds(2));
}

TEST_CASE("requests sent ahead of a stop get whole answers or none") {
  const std::unique_ptr<ServerProcess> server = start();
  RawConnection connection = connect(*server);
  std::string requests;
  for (int i = 0; i < 2'000; ++i) {
    requests += raw_request("GET", "/openapi.json");
  }
  std::thread sender([&] { static_cast<void>(connection.send(requests)); });
  for (int i = 0; i < 20; ++i) {
    REQUIRE(connection.read_reply().value().status == 200);
  }
  server->send_signal(SIGTERM);
  Result<RawReply> reply = connection.read_reply();
  while (reply.ok()) {
    REQUIRE(reply->status == 200);
    reply = connection.read_reply();
  }
  CHECK(reply.status().code() == StatusCode::unavailable);
  sender.join();
  CHECK(server->wait(seconds(10)).value().code == 0);
}

}  // namespace
}  // namespace lamina::test
