// What whoever runs lamina-server sees of it: signals, logs, and what it tells
// the service manager.

#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/raw_http.h"
#include "support/server_process.h"
#include "support/temporary_directory.h"

namespace lamina::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::unique_ptr<ServerProcess> start(std::vector<std::string> flags) {
  ServerProcessOptions options;
  options.flags = std::move(flags);
  return std::move(ServerProcess::start(options)).value();
}

RawReply get(const ServerProcess& server, std::string_view target,
             std::string_view headers = "") {
  RawConnection connection = RawConnection::open(server.port()).value();
  return connection.call(raw_request("GET", target, "", headers)).value();
}

// Whether `done` comes true in some seconds.
template <class Condition>
bool soon(const Condition& done) {
  for (int i = 0; i < 500; ++i) {
    if (done()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void write_private(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path) << text;
  std::filesystem::permissions(path, std::filesystem::perms(0600));
}

TEST_CASE("SIGTERM: not ready, then gone; work goes on meanwhile") {
  const auto server = start({"--shutdown-delay-ms", "60000"});
  CHECK(get(*server, "/readyz").status == 200);
  server->send_signal(SIGTERM);
  CHECK(soon([&] { return get(*server, "/readyz").status == 503; }));
  CHECK(get(*server, "/livez").status == 200);
  CHECK(get(*server, "/collections").status == 200);
  server->send_signal(SIGTERM);  // Hurries.
  CHECK(server->wait(seconds(10)).value().code == 0);
}

TEST_CASE("SIGHUP reads the keys again, and keeps them when they are bad") {
  TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "keys";
  write_private(file, "write first-0123456789ab\n");
  const auto server = start({"--api-keys-file", file.string()});
  const auto status_with = [&](const std::string& key) {
    return get(*server, "/collections", "api-key: " + key + "\r\n").status;
  };
  CHECK(status_with("first-0123456789ab") == 200);
  write_private(file, "write second-0123456789a\n");
  server->send_signal(SIGHUP);
  CHECK(soon([&] { return status_with("second-0123456789a") == 200; }));
  CHECK(status_with("first-0123456789ab") == 401);
  write_private(file, "nonsense\n");
  server->send_signal(SIGHUP);
  std::this_thread::sleep_for(milliseconds(100));
  CHECK(status_with("second-0123456789a") == 200);
  const std::string log = server->terminate().value().log;
  CHECK(has(log, "info reloaded"));
  CHECK(has(log, "error not-reloaded"));
  CHECK_FALSE(has(log, "0123456789a"));
}

TEST_CASE("SIGHUP reads the log's level again") {
  TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "lamina.toml";
  write_private(file, "log-level = \"info\"\n");
  const auto server = start({"--config", file.string()});
  get(*server, "/collections/before");
  write_private(file, "log-level = \"debug\"\n");
  server->send_signal(SIGHUP);
  std::this_thread::sleep_for(milliseconds(200));
  get(*server, "/collections/after");
  const std::string log = server->terminate().value().log;
  CHECK_FALSE(has(log, "before"));
  CHECK(has(log, "collection=\"after\""));
}

TEST_CASE("a slow request is told in JSON, with its ids and without its body") {
  const auto server = start({"--log-format", "json", "--slow-query-ms", "1"});
  const std::string big(4'000'000, ' ');
  RawConnection connection = RawConnection::open(server->port()).value();
  // Long to read, and refused.
  connection
      .call(raw_request(
          "PUT", "/collections/c/points", R"({"secret":")" + big + R"("})",
          "X-Request-Id: req-7\r\ntraceparent: "
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"))
      .value();
  const std::string log = server->terminate().value().log;
  CHECK(has(log, R"("level":"warning","event":"slow-request","method":"PUT")"));
  CHECK(has(log, R"("route":"/collections/{c}/points","collection":"c")"));
  CHECK(has(log, R"("request_id":"req-7")"));
  CHECK(has(log, R"("trace_id":"4bf92f3577b34da6a3ce929d0e0e4736")"));
  CHECK_FALSE(has(log, "secret"));
}

TEST_CASE("a disk that is too full for --min-free-disk takes no writes") {
  const auto server = start({"--min-free-disk", "100000GiB"});
  RawConnection connection = RawConnection::open(server->port()).value();
  const RawReply refused =
      connection
          .call(raw_request("PUT", "/collections/c",
                            R"({"vectors":{"size":2,"distance":"Dot"}})"))
          .value();
  CHECK(refused.status == 507);
  CHECK(has(refused.body, "--min-free-disk"));
  CHECK(get(*server, "/collections").status == 200);
}

// What systemd would be: a socket that datagrams come to.
class NotifySocket {
 public:
  NotifySocket() : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const std::string path = directory_.path() / "notify";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    REQUIRE(bind(fd_, reinterpret_cast<const sockaddr*>(&address),
                 sizeof address) == 0);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
    setenv("WATCHDOG_USEC", "100000", 1);
  }
  ~NotifySocket() {
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    close(fd_);
  }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  // The next message, or nothing when none comes.
  std::string receive() {
    pollfd readable{fd_, POLLIN, 0};
    if (poll(&readable, 1, 5'000) <= 0) return "";
    std::array<char, 256> bytes{};
    const ssize_t count = recv(fd_, bytes.data(), bytes.size(), 0);
    return {bytes.data(),
            static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }

  bool receives(std::string_view message) {
    for (int i = 0; i < 100; ++i) {
      const std::string received = receive();
      if (received == message) return true;
      if (received.empty()) return false;
    }
    return false;
  }

 private:
  TemporaryDirectory directory_;
  const int fd_;
};

TEST_CASE("the service manager is told: ready, alive, stopping") {
  NotifySocket socket;
  const auto server = start({});
  CHECK(socket.receives("READY=1"));
  CHECK(socket.receives("WATCHDOG=1"));
  CHECK(socket.receives("WATCHDOG=1"));
  server->send_signal(SIGTERM);
  CHECK(socket.receives("STOPPING=1"));
  CHECK(server->wait(seconds(10)).value().code == 0);
}

}  // namespace
}  // namespace lamina::test
