#include "lamina/client.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <limits>
#include <thread>
#include <vector>

#include "fault_server.h"
#include "protocol/http_error.h"

namespace lamina {
namespace {

using std::chrono::milliseconds;
using test::answer_rightly;
using test::FaultServer;
using test::http_reply;
using test::Peer;
using test::right_answer;

std::unique_ptr<Client> client_of(const FaultServer& server,
                                  const ClientOptions& options = {}) {
  return Client::connect(server.url(), options).value();
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

TEST_CASE("connect reads the URL and connects to nothing") {
  CHECK(Client::connect("http://127.0.0.1:1").ok());
  CHECK(Client::connect("ftp://127.0.0.1").status().code() ==
        StatusCode::invalid_argument);
}

TEST_CASE("a client without connections is refused") {
  const auto client = Client::connect("http://a", {.max_connections = 0});
  REQUIRE_FALSE(client.ok());
  CHECK(client.status().field() == "max_connections");
}

TEST_CASE("a server that closes after every reply costs no call") {
  FaultServer server([](Peer& peer) {
    if (const auto request = peer.read_request()) {
      peer.send(right_answer(*request));  // And close, without saying so.
    }
  });
  const auto client = client_of(server);
  int ok_count = 0;
  for (int i = 0; i < 1'000; ++i) ok_count += client->list_collections().ok();
  CHECK(ok_count == 1'000);
}

TEST_CASE("one kept connection serves calls one after the other") {
  FaultServer server(answer_rightly);
  const auto client = client_of(server);
  for (int i = 0; i < 100; ++i) REQUIRE(client->list_collections().ok());
  CHECK(server.connection_count() == 1);
}

TEST_CASE("an idle connection is not used beyond the idle timeout") {
  FaultServer server(answer_rightly);
  const auto client = client_of(server, {.idle_timeout = milliseconds(10)});
  REQUIRE(client->list_collections().ok());
  std::this_thread::sleep_for(milliseconds(50));
  REQUIRE(client->list_collections().ok());
  CHECK(server.connection_count() == 2);
}

TEST_CASE("a call that timed out leaves no answer to the next one") {
  // Point 1 is answered too late, all others at once.
  FaultServer server([](Peer& peer) {
    while (const auto request = peer.read_request()) {
      if (request->find("/points/1 ") != request->npos) {
        std::this_thread::sleep_for(milliseconds(400));
      }
      peer.send(right_answer(*request));
    }
  });
  const auto client = client_of(server, {.deadline = milliseconds(200)});
  const auto items = client->create_collection("a", {.dimension = 1}).value();
  const auto start = std::chrono::steady_clock::now();
  CHECK(items->get(1).status().code() == StatusCode::deadline_exceeded);
  CHECK(std::chrono::steady_clock::now() - start < milliseconds(3'000));
  const Result<Record> second = items->get(2);
  REQUIRE(second.ok());
  CHECK(second->id == PointId(2));
  std::this_thread::sleep_for(milliseconds(400));
  const Result<Record> third = items->get(3);
  REQUIRE(third.ok());
  CHECK(third->id == PointId(3));
}

TEST_CASE("waiting for a connection counts towards the deadline") {
  FaultServer server([](Peer& peer) { peer.wait_for_close(); });
  const auto client =
      client_of(server, {.deadline = milliseconds(200), .max_connections = 1});
  const auto start = std::chrono::steady_clock::now();
  std::vector<StatusCode> codes(4);
  std::vector<std::thread> threads;
  for (StatusCode& code : codes) {
    threads.emplace_back(
        [&] { code = client->list_collections().status().code(); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(std::chrono::steady_clock::now() - start < milliseconds(3'000));
  CHECK(std::count(codes.begin(), codes.end(), StatusCode::deadline_exceeded) ==
        4);
}

TEST_CASE("16 threads share 4 connections and each gets its own answers") {
  FaultServer server(answer_rightly);
  const auto client = client_of(server, {.max_connections = 4});
  const auto items = client->create_collection("a", {.dimension = 1}).value();
  constexpr std::uint64_t kCalls = 100;
  std::atomic<std::uint64_t> right = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < kCalls; ++i) {
        const PointId id = t * kCalls + i;
        const Result<Record> record = items->get(id);
        right += record.ok() && record->id == id;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 16 * kCalls);
  CHECK(server.connection_count() <= 4);
}

TEST_CASE("one slow call does not hold up the others") {
  FaultServer server([](Peer& peer) {
    while (const auto request = peer.read_request()) {
      std::this_thread::sleep_for(milliseconds(200));
      peer.send(right_answer(*request));
    }
  });
  const auto client = client_of(server, {.max_connections = 16});
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  std::atomic<int> ok_count = 0;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] { ok_count += client->list_collections().ok(); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(ok_count == 16);
  CHECK(std::chrono::steady_clock::now() - start < milliseconds(1'600));
}

TEST_CASE("a thousand failed calls leave no descriptor behind") {
  std::atomic<int> connection = 0;
  FaultServer server([&](Peer& peer) {
    const int kind = ++connection % 5;
    if (!peer.read_request()) return;
    if (kind == 0) return;
    if (kind == 1) peer.close_by_reset();
    if (kind == 2) peer.send("garbage\r\n\r\n");
    if (kind == 3) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{");
    if (kind == 4) peer.wait_for_close();  // Until the deadline.
  });
  const auto client = client_of(server, {.deadline = milliseconds(10)});
  const auto refused =
      Client::connect("http://127.0.0.1:" + std::to_string(test::unused_port()))
          .value();
  CHECK_FALSE(client->list_collections().ok());
  const std::size_t before = open_descriptors();
  int failed = 0;
  for (int i = 0; i < 500; ++i) {
    failed += !client->list_collections().ok();
    failed += !refused->list_collections().ok();
  }
  CHECK(failed == 1'000);
  // The server in this process also holds a few that it has yet to close.
  CHECK(open_descriptors() <= before + 8);
}

TEST_CASE("a server's error status becomes the code it stands for") {
  struct Case {
    int http_status;
    StatusCode code;
  };
  for (const Case& expected :
       {Case{503, StatusCode::unavailable},
        Case{408, StatusCode::deadline_exceeded},
        Case{429, StatusCode::resource_exhausted},
        Case{500, StatusCode::internal}, Case{404, StatusCode::not_found}}) {
    CAPTURE(expected.http_status);
    FaultServer server([&](Peer& peer) {
      while (peer.read_request()) {
        peer.send(http_reply(expected.http_status,
                             protocol::encode_error_reply("reason", 0.0)));
      }
    });
    const Status status = client_of(server)->list_collections().status();
    CHECK(status.code() == expected.code);
    CHECK(status.message().find("reason") != std::string::npos);
  }
}

TEST_CASE("an error that is not JSON keeps its text") {
  FaultServer server([](Peer& peer) {
    peer.read_request();
    peer.send(http_reply(502, "<html>bad gateway</html>"));
  });
  const Status status = client_of(server)->list_collections().status();
  CHECK(status.message().find("bad gateway") != std::string::npos);
}

TEST_CASE("a reply that is not the protocol's JSON is internal") {
  for (const char* body : {"", "{", "[]", "{\"result\":7}", "\xff"}) {
    CAPTURE(body);
    FaultServer server([&](Peer& peer) {
      while (peer.read_request()) peer.send(http_reply(200, body));
    });
    const Status status = client_of(server)->list_collections().status();
    CHECK(status.code() == StatusCode::internal);
    CHECK(status.message().find("127.0.0.1:") != std::string::npos);
  }
}

TEST_CASE("names are percent-encoded in the path") {
  std::string seen;
  FaultServer server([&](Peer& peer) {
    seen = peer.read_request().value_or("");
    peer.send(right_answer(seen));
  });
  const auto client = client_of(server);
  struct Case {
    const char* name;
    const char* segment;
  };
  for (const Case& odd : {Case{"a b", "a%20b"}, Case{"\xc3\xbc", "%C3%BC"},
                          Case{"?x=1#y", "%3Fx%3D1%23y"}, Case{"%41", "%2541"},
                          Case{"..a", "..a"}}) {
    CAPTURE(odd.name);
    CHECK(client->create_collection(odd.name, {.dimension = 1}).ok());
    CHECK(
        seen.starts_with("PUT /collections/" + std::string(odd.segment) + " "));
  }
}

TEST_CASE("a name that no path can carry is answered without a call") {
  const auto client =
      Client::connect("http://127.0.0.1:" + std::to_string(test::unused_port()))
          .value();
  for (const char* name : {"", ".", ".."}) {
    CAPTURE(name);
    CHECK(client->create_collection(name, {.dimension = 1}).status().code() ==
          StatusCode::invalid_argument);
    CHECK(client->open_collection(name).status().code() ==
          StatusCode::not_found);
    CHECK_FALSE(client->drop_collection(name).value());
  }
}

TEST_CASE("values that JSON cannot hold are refused without a call") {
  FaultServer server(answer_rightly);
  const auto client = client_of(server);
  const auto items = client->create_collection("a", {.dimension = 2}).value();
  const std::vector<float> bad{1.0f, std::numeric_limits<float>::infinity()};
  const StatusCode invalid = StatusCode::invalid_argument;
  CHECK(items->query(bad).status().code() == invalid);
  CHECK(
      items->upsert({.id = 1, .vector = bad, .payload = {}}).status().code() ==
      invalid);
  const std::vector<VectorView> batch{bad};
  CHECK(items->query_batch(batch).status().code() == invalid);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(items->query(VectorView(bad).first(1), {.score_threshold = nan})
            .status()
            .field() == "score_threshold");
}

TEST_CASE("a collection outlives the client that gave it") {
  FaultServer server(answer_rightly);
  auto client = client_of(server);
  const auto items = client->create_collection("a", {.dimension = 1}).value();
  client.reset();
  CHECK(items->get(5).ok());
}

TEST_CASE("a prefix stands before every path") {
  std::string seen;
  FaultServer server([&](Peer& peer) {
    while (const auto request = peer.read_request()) {
      seen = *request;
      peer.send(right_answer(seen));
    }
  });
  const auto client = Client::connect(server.url() + "/some/prefix/").value();
  REQUIRE(client->list_collections().ok());
  CHECK(seen.starts_with("GET /some/prefix/collections "));
  const auto items = client->create_collection("a", {.dimension = 1}).value();
  REQUIRE(items->get(5).ok());
  CHECK(seen.starts_with("GET /some/prefix/collections/a/points/5 "));
}

}  // namespace
}  // namespace lamina
