// Sockets that clients connect to. TCP is tested by transport_connections_test.

#include "listener.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "running_transport.h"
#include "support/temporary_directory.h"

namespace lamina::test {
namespace {

StatusCode code_of(const std::string& path) {
  return server::listen_on_unix(path).status().code();
}

TEST_CASE("a socket file serves as an address does, and goes with the server") {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "socket";
  {
    RunningTransport server(path);
    struct stat found {};
    REQUIRE(stat(path.c_str(), &found) == 0);
    CHECK((found.st_mode & 0777) == 0600);
    RawConnection over_file = RawConnection::open_unix(path).value();
    CHECK(over_file.call(get("/a")).value().body == "GET /a? []");
    CHECK(over_file.call(get("/b")).value().body == "GET /b? []");
    CHECK(server.connect().call(get("/c")).value().body == "GET /c? []");
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a socket file is replaced only when nobody listens on it") {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "socket";
  {
    const Result<server::Listener> first = server::listen_on_unix(path);
    REQUIRE(first.ok());
    CHECK(code_of(path) == StatusCode::unavailable);
  }
  CHECK(std::filesystem::exists(path));  // As a crash leaves it.
  CHECK(code_of(path) == StatusCode::ok);
}

TEST_CASE("other files stay, and paths that no socket can have are refused") {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "file";
  std::ofstream(path) << "precious";
  CHECK(code_of(path) == StatusCode::unavailable);
  CHECK(std::filesystem::file_size(path) == 8);
  CHECK(code_of("") == StatusCode::invalid_argument);
  CHECK(code_of("/tmp/" + std::string(200, 'a')) ==
        StatusCode::invalid_argument);
  CHECK(code_of(directory.path() / "none" / "socket") ==
        StatusCode::unavailable);
}

}  // namespace
}  // namespace lamina::test
