// The real lamina-server: command line, life cycle, and data over restarts.

#include <doctest/doctest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "lamina/client.h"
#include "support/raw_http.h"
#include "support/server_process.h"
#include "support/temporary_directory.h"

namespace lamina::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::unique_ptr<ServerProcess> start(const ServerProcessOptions& options = {}) {
  return std::move(ServerProcess::start(options)).value();
}

ServerProcessOptions with_flags(std::vector<std::string> flags) {
  ServerProcessOptions options;
  options.flags = std::move(flags);
  return options;
}

RawReply call(const ServerProcess& server, std::string_view method,
              std::string_view target, std::string_view body = "") {
  RawConnection connection = RawConnection::open(server.port()).value();
  return connection.call(raw_request(method, target, body)).value();
}

void create_with_one_point(const ServerProcess& server) {
  REQUIRE(call(server, "PUT", "/collections/c",
               R"({"vectors":{"size":2,"distance":"Cosine"}})")
              .status == 200);
  REQUIRE(call(server, "PUT", "/collections/c/points?wait=true",
               R"({"points":[{"id":7,"vector":[0.25,0.5],)"
               R"("payload":{"a":"b"}}]})")
              .status == 200);
}

bool has(const RawReply& reply, std::string_view text) {
  return reply.body.find(text) != std::string::npos;
}

TEST_CASE("the server starts, answers, and ends with 0 on SIGTERM and SIGINT") {
  for (const int signal : {SIGTERM, SIGINT}) {
    std::unique_ptr<ServerProcess> server = start();
    CHECK(has(call(*server, "GET", "/"), R"("version":"1.18.0")"));
    CHECK(call(*server, "GET", "/healthz").body == "healthz check passed");
    server->send_signal(signal);
    CHECK(server->wait(seconds(10)).value().code == 0);
  }
}

TEST_CASE("aliases and metadata are there after a restart") {
  TemporaryDirectory directory;
  ServerProcessOptions options;
  options.data_dir = directory.path() / "data";
  {
    std::unique_ptr<ServerProcess> server = start(options);
    create_with_one_point(*server);
    REQUIRE(call(*server, "PATCH", "/collections/c", R"({"metadata":{"k":1}})")
                .status == 200);
    REQUIRE(call(*server, "POST", "/collections/aliases",
                 R"({"actions":[{"create_alias":{"collection_name":"c",)"
                 R"("alias_name":"a"}}]})")
                .status == 200);
    server->kill();
  }
  std::unique_ptr<ServerProcess> server = start(options);
  CHECK(call(*server, "GET", "/collections/a/points/7").status == 200);
  CHECK(has(call(*server, "GET", "/collections/a"), R"("metadata":{"k":1})"));
}

TEST_CASE("a catalog that is damaged keeps the server from starting") {
  TemporaryDirectory directory;
  ServerProcessOptions options;
  options.data_dir = directory.path() / "data";
  start(options)->terminate().value();
  std::ofstream(options.data_dir / "server.json") << "{";
  CHECK_FALSE(ServerProcess::start(options).ok());
}

TEST_CASE("--compat=strict refuses settings without effect") {
  std::unique_ptr<ServerProcess> server =
      start(with_flags({"--compat=strict"}));
  const RawReply reply =
      call(*server, "PUT", "/collections/c",
           R"({"vectors":{"size":2,"distance":"Dot"},)"
           R"("quantization_config":{"scalar":{"type":"int8"}}})");
  CHECK(reply.status == 400);
  CHECK(has(reply, "quantization_config"));
}

TEST_CASE("types of bodies and the wish for times come through the socket") {
  std::unique_ptr<ServerProcess> server = start();
  create_with_one_point(*server);
  RawConnection connection = RawConnection::open(server->port()).value();
  const std::string floats("\0\0\0\0\0\0\x80\x3f", 8);
  const auto ask = [&](std::string_view headers) {
    return connection
        .call(raw_request("POST", "/v1/collections/c/query", floats, headers))
        .value();
  };
  const RawReply json = ask("Content-Type: application/octet-stream\r\n");
  CHECK(json.status == 200);
  CHECK(has(json, R"({"result":[{"points":[{"id":7,)"));
  CHECK(json.header("Server-Timing").empty());
  const RawReply tensors =
      ask("content-type: application/vnd.lamina.f32le\r\nLAMINA-timing: 1\r\n"
          "accept: application/vnd.lamina.safetensors\r\n");
  CHECK(tensors.header("Content-Type") == "application/vnd.lamina.safetensors");
  CHECK(tensors.header("Server-Timing").starts_with("parse;dur="));
  const RawReply refused = ask("Content-Type: a%2Fb\r\n");
  CHECK(refused.status == 415);
  CHECK(refused.header("Accept").starts_with("application/vnd.lamina.f32le"));
  CHECK(ask("Content-Type: application/octet-stream\r\nAccept: text/html\r\n")
            .status == 406);
}

TEST_CASE("what was written is there after a restart and after a kill") {
  TemporaryDirectory directory;
  ServerProcessOptions options;
  options.data_dir = directory.path() / "data";
  {
    std::unique_ptr<ServerProcess> server = start(options);
    create_with_one_point(*server);
    CHECK(server->terminate().value().code == 0);
  }
  for (int round = 0; round < 2; ++round) {
    std::unique_ptr<ServerProcess> server = start(options);
    CHECK(has(call(*server, "GET", "/collections/c/points/7"),
              R"("payload":{"a":"b"},"vector":[0.25,0.5])"));
    server->kill();
  }
}

TEST_CASE(
    "fsync is asked for by a flag or by a header, and told in the answer") {
  const std::string body = R"({"points":[{"id":1,"vector":[1,1]}]})";
  for (const char* durability : {"os", "fsync"}) {
    CAPTURE(durability);
    std::unique_ptr<ServerProcess> server =
        start(with_flags({"--durability", durability}));
    create_with_one_point(*server);
    const bool synced = std::string_view(durability) == "fsync";
    CHECK(call(*server, "PUT", "/collections/c/points", body)
              .header("Lamina-Durable") == (synced ? "true" : "false"));
    RawConnection connection = RawConnection::open(server->port()).value();
    CHECK(connection
              .call(raw_request("PUT", "/collections/c/points", body,
                                "Lamina-Durability: fsync\r\n"))
              .value()
              .header("Lamina-Durable") == "true");
  }
}

TEST_CASE("a second server on the same port ends with 3 and says so") {
  std::unique_ptr<ServerProcess> first = start();
  ServerProcessOptions options;
  options.port = first->port();
  const ServerExit second = ServerProcess::run(options).value();
  CHECK(second.code == 3);
  CHECK(second.log.find(std::to_string(first->port())) != std::string::npos);
  CHECK(call(*first, "GET", "/livez").status == 200);
}

TEST_CASE("a second server on the same directory ends with 3 and says so") {
  std::unique_ptr<ServerProcess> first = start();
  ServerProcessOptions options;
  options.data_dir = first->data_dir();
  const ServerExit second = ServerProcess::run(options).value();
  CHECK(second.code == 3);
  CHECK(second.log.find(std::to_string(first->pid())) != std::string::npos);
}

TEST_CASE("a bad command line ends with 2") {
  CHECK(ServerProcess::run(with_flags({"--no-such-flag"})).value().code == 2);
  CHECK(
      ServerProcess::run(with_flags({"--durability", "maybe"})).value().code ==
      2);
  CHECK(
      ServerProcess::run(with_flags({"--max-connections", "0"})).value().code ==
      2);
}

// A file of keys that only its owner reads.
std::string key_file(const TemporaryDirectory& directory,
                     std::string_view text) {
  const std::filesystem::path path = directory.path() / "keys";
  std::ofstream(path) << text;
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  return path;
}

TEST_CASE("keys of a file let in, come through the socket, and stay unsaid") {
  const std::string key = "0123456789abcdef-secret";
  TemporaryDirectory directory;
  std::unique_ptr<ServerProcess> server = start(with_flags(
      {"--api-keys-file", key_file(directory, "write " + key + "\n")}));
  CHECK(call(*server, "GET", "/livez").status == 200);
  const RawReply denied = call(*server, "GET", "/collections");
  CHECK(denied.status == 401);
  CHECK(denied.header("WWW-Authenticate") == "Bearer");
  RawConnection connection = RawConnection::open(server->port()).value();
  for (const std::string& line :
       {"Api-Key: " + key, "Authorization: Bearer " + key}) {
    const RawReply reply =
        connection.call(raw_request("GET", "/collections", "", line + "\r\n"))
            .value();
    CHECK(reply.status == 200);
    CHECK(reply.head.find(key) == std::string::npos);
  }
  CHECK(server->terminate().value().log.find(key) == std::string::npos);
}

TEST_CASE("a client comes in with its key, and is told when it has none") {
  const std::string key = "0123456789abcdef-secret";
  TemporaryDirectory directory;
  std::unique_ptr<ServerProcess> server = start(with_flags(
      {"--api-keys-file", key_file(directory, "write " + key + "\n")}));
  const auto client = Client::connect(server->url(), {.api_key = key}).value();
  CHECK(client->create_collection("items", {.dimension = 2}).ok());
  for (const char* wrong : {"", "0123456789abcdef-other"}) {
    const Status denied = Client::connect(server->url(), {.api_key = wrong})
                              .value()
                              ->list_collections()
                              .status();
    CHECK(denied.code() == StatusCode::invalid_argument);
    CHECK(denied.message().find("key") != std::string::npos);
    CHECK(denied.message().find("0123") == std::string::npos);
  }
  setenv("LAMINA_API_KEY", key.c_str(), 1);
  CHECK(Client::connect(server->url()).value()->list_collections().ok());
  unsetenv("LAMINA_API_KEY");
  const Status unfit =
      Client::connect(server->url(), {.api_key = "a\r\nHost: b"}).status();
  CHECK(unfit.code() == StatusCode::invalid_argument);
  CHECK(unfit.field() == "api_key");
}

TEST_CASE("keys that cannot be read end the start with 2, unsaid") {
  TemporaryDirectory directory;
  const std::string file = key_file(directory, "secret-0123456789abcdef\n");
  const ServerExit ended =
      ServerProcess::run(with_flags({"--api-keys-file", file})).value();
  CHECK(ended.code == 2);
  CHECK(ended.log.find("line 1") != std::string::npos);
  CHECK(ended.log.find("secret") == std::string::npos);
}

TEST_CASE("a name that is not this machine's is refused on its own address") {
  std::unique_ptr<ServerProcess> server = start();
  RawConnection connection = RawConnection::open(server->port()).value();
  CHECK(
      connection.call("GET /collections HTTP/1.1\r\nHost: evil.example\r\n\r\n")
          .value()
          .status == 403);
}

TEST_CASE("help and version end with 0") {
  CHECK(ServerProcess::run(with_flags({"--help"})).value().code == 0);
  CHECK(ServerProcess::run(with_flags({"--version"})).value().code == 0);
}

TEST_CASE("a torn write is cut off and reported, the rest is kept") {
  TemporaryDirectory directory;
  ServerProcessOptions options;
  options.data_dir = directory.path() / "data";
  create_with_one_point(*start(options));
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(options.data_dir)) {
    if (entry.path().filename().string().starts_with("wal-")) {
      std::ofstream(entry.path(), std::ios::app) << "torn";
    }
  }
  std::unique_ptr<ServerProcess> server = start(options);
  CHECK(call(*server, "GET", "/collections/c/points/7").status == 200);
  CHECK(server->terminate().value().log.find("writes-cut-off") !=
        std::string::npos);
}

// Sends queries until the server closes; counts answers that are cut short.
void query_until_closed(std::uint16_t port, std::atomic<int>* answered,
                        std::atomic<int>* broken) {
  Result<RawConnection> connection = RawConnection::open(port);
  if (!connection.ok()) return;
  const std::string request =
      raw_request("POST", "/collections/c/points/query",
                  R"({"query":[1,1],"limit":1,"with_payload":true})");
  for (;;) {
    if (!connection->send(request).ok()) return;
    Result<RawReply> reply = connection->read_reply();
    if (!reply.ok()) {
      // Closed between two answers is what a stop looks like.
      *broken += reply.status().code() != StatusCode::unavailable;
      return;
    }
    *broken += reply->status != 200;
    ++*answered;
    if (reply->header("Connection") == "close") return;
  }
}

TEST_CASE("SIGTERM under load cuts no answer short and ends with 0") {
  std::unique_ptr<ServerProcess> server = start();
  create_with_one_point(*server);
  std::atomic<int> answered{0};
  std::atomic<int> broken{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 16; ++i) {
    clients.emplace_back(query_until_closed, server->port(), &answered,
                         &broken);
  }
  while (answered < 500) std::this_thread::sleep_for(milliseconds(1));
  Result<ServerExit> ended = server->terminate(seconds(10));
  for (std::thread& client : clients) client.join();
  CHECK(ended.value().code == 0);
  CHECK(broken == 0);
}

TEST_CASE("a stop does not wait for idle connections") {
  std::unique_ptr<ServerProcess> server = start();
  std::vector<RawConnection> idle;
  for (int i = 0; i < 32; ++i) {
    idle.push_back(RawConnection::open(server->port()).value());
    REQUIRE(idle.back().call(raw_request("GET", "/v1/noop")).ok());
  }
  const auto begin = std::chrono::steady_clock::now();
  CHECK(server->terminate().value().code == 0);
  CHECK(std::chrono::steady_clock::now() - begin < seconds(5));
}

TEST_CASE("the connection limit is a flag") {
  std::unique_ptr<ServerProcess> server =
      start(with_flags({"--max-connections", "1"}));
  RawConnection first = RawConnection::open(server->port()).value();
  CHECK(first.call(raw_request("GET", "/v1/noop")).value().status == 200);
  RawConnection second = RawConnection::open(server->port()).value();
  CHECK(second.read_reply().value().status == 503);
}

TEST_CASE("after a flood of connections the server answers as before") {
  std::unique_ptr<ServerProcess> server = start();
  for (int i = 0; i < 2'000; ++i) {
    RawConnection connection = RawConnection::open(server->port()).value();
    if (i % 2 == 0) static_cast<void>(connection.send("GET /"));
  }
  CHECK(call(*server, "GET", "/v1/noop").status == 200);
}

}  // namespace
}  // namespace lamina::test
