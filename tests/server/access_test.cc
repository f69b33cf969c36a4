// Keys, and what pages in a browser may do.

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "access_setup.h"
#include "route_table.h"
#include "router_fixture.h"
#include "support/temporary_directory.h"

namespace lamina::server {
namespace {

constexpr std::string_view kWriter = "writer-0123456789";
constexpr std::string_view kReader = "reader-0123456789";

ApiKeys two_keys() {
  return ApiKeys::parse("write writer-0123456789\nread reader-0123456789\n")
      .value();
}

Request request(std::string_view method, std::string_view path,
                std::string_view key = "") {
  Request request;
  request.method = method;
  request.path = path;
  request.api_key = key;
  return request;
}

TEST_CASE(
    "keys: a file gives readers and writers, and says which line is bad") {
  const ApiKeys keys = ApiKeys::parse(
                           "# rotated in May\n\n"
                           "write  writer-0123456789\r\n"
                           "read reader-0123456789\n"
                           "read sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1"
                           "b2b0b822cd15d6c15b0f00a08")
                           .value();
  CHECK(keys.permission_of(kWriter) == Permission::write);
  CHECK(keys.permission_of(kReader) == Permission::read);
  CHECK(keys.permission_of("test") == Permission::read);
  CHECK(keys.permission_of("writer-012345678") == Permission::none);
  CHECK(keys.permission_of("") == Permission::none);
  for (const char* bad :
       {"write short", "admin writer-0123456789", "writer-0123456789",
        "write writer 0123456789abcd", "read sha256:12", "read sha256:zz"}) {
    CAPTURE(bad);
    const Status status =
        ApiKeys::parse("# a\n" + std::string(bad) + "\n").status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.message().starts_with("line 2 "));
    CHECK(status.message().find("0123456789") == std::string::npos);
  }
  CHECK_FALSE(ApiKeys::parse("# nothing\n").ok());
}

TEST_CASE("keys: a file that everybody can read is refused") {
  test::TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "keys";
  std::ofstream(path) << "write writer-0123456789\n";
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  CHECK_FALSE(ApiKeys::read_file(path).ok());
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  CHECK(ApiKeys::read_file(path).ok());
  CHECK_FALSE(ApiKeys::read_file(path.string() + "2").ok());
}

TEST_CASE("keys: every route but the open ones asks for one") {
  Fixture fixture;
  fixture.state().guard.set_keys(two_keys());
  for (const Route& route : routes()) {
    CAPTURE(route.pattern);
    const bool open = route.needed == Permission::none;
    const Reply reply = fixture.handle(request(route.method, route.pattern));
    CHECK((reply.status == 401) == !open);
    CHECK(header(reply, "WWW-Authenticate") == (open ? "" : "Bearer"));
  }
  CHECK(fixture.handle(request("GET", "/no/such/path")).status == 401);
  for (const char* path : {"/", "/livez", "/readyz", "/healthz"}) {
    CHECK(fixture.handle(request("GET", path)).status == 200);
    CHECK(fixture.handle(request("HEAD", path)).status == 200);
  }
}

TEST_CASE("keys: one for reading does not write") {
  Fixture fixture;
  fixture.create();
  fixture.state().guard.set_keys(two_keys());
  const Reply denied =
      fixture.handle(request("DELETE", "/collections/c", kReader));
  CHECK(denied.status == 403);
  CHECK(has(denied, R"({"status":{"error":)"));
  CHECK_FALSE(has(denied, kReader));
  CHECK(fixture.handle(request("GET", "/collections/c", kReader)).status ==
        200);
  CHECK(fixture.handle(request("GET", "/metrics", kReader)).status == 200);
  CHECK(fixture.handle(request("DELETE", "/collections/c", kWriter)).status ==
        200);
}

TEST_CASE("keys: what changes something asks for a key that may write") {
  for (const Route& route : routes()) {
    CAPTURE(route.pattern);
    const bool writes = route.parameters == ParameterSet::write ||
                        route.parameters == ParameterSet::admin ||
                        route.method == "PUT" || route.method == "PATCH" ||
                        route.method == "DELETE";
    if (writes) CHECK(route.needed == Permission::write);
  }
}

TEST_CASE("keys: Authorization: Bearer is as good as api-key") {
  Fixture fixture;
  fixture.state().guard.set_keys(two_keys());
  Request asked = request("GET", "/collections");
  const std::string good = "bearer " + std::string(kReader);
  for (const auto& [value, status] :
       {std::pair(good, 200), std::pair(good + "x", 401),
        std::pair(std::string(kReader), 401),
        std::pair("Basic " + std::string(kReader), 401),
        std::pair(std::string("Bearer"), 401)}) {
    CAPTURE(value);
    asked.authorization = value;
    CHECK(fixture.handle(asked).status == status);
  }
}

TEST_CASE("keys: own routes say it as a problem") {
  Fixture fixture;
  fixture.state().guard.set_keys(two_keys());
  const Reply reply = fixture.handle(request("GET", "/v1/noop", "wrong"));
  CHECK(reply.status == 401);
  CHECK(reply.content_type == "application/problem+json");
  CHECK(has(reply, R"("type":"/problems/unauthenticated")"));
}

TEST_CASE("an address that others reach takes keys, or says that it has none") {
  Guard guard;
  Configuration configuration;
  for (const char* host : {"127.0.0.1", "localhost", "::1", "127.1.2.3"}) {
    configuration.host = host;
    CHECK(set_up_access(configuration, &guard).ok());
  }
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "example.org"}) {
    CAPTURE(host);
    configuration.host = host;
    configuration.allow_unauthenticated = false;
    const Status refused = set_up_access(configuration, &guard);
    CHECK(refused.code() == StatusCode::invalid_argument);
    CHECK(refused.message().find("--allow-unauth") != std::string::npos);
    configuration.allow_unauthenticated = true;
    CHECK(set_up_access(configuration, &guard).ok());
  }
}

TEST_CASE("keys come from the credential of systemd when no file is set") {
  test::TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "api_keys";
  std::ofstream(path) << "write writer-0123456789\n";
  std::filesystem::permissions(path, std::filesystem::perms(0400));
  setenv("CREDENTIALS_DIRECTORY", directory.path().c_str(), 1);
  const Result<ApiKeys> keys = read_keys({});
  unsetenv("CREDENTIALS_DIRECTORY");
  REQUIRE(keys.ok());
  CHECK(keys->permission_of(kWriter) == Permission::write);
  CHECK(read_keys({})->empty());
}

TEST_CASE("only names of the server may stand in Host") {
  Fixture fixture;
  fixture.state().guard.set_hosts({"localhost", "127.0.0.1", "[::1]"});
  Request asked = request("GET", "/collections");
  for (const auto& [host, status] :
       {std::pair("localhost:6333", 200), std::pair("LOCALHOST", 200),
        std::pair("127.0.0.1:1", 200), std::pair("[::1]:6333", 200),
        std::pair("[::1]", 200), std::pair("evil.example", 403),
        std::pair("localhost.evil.example:6333", 403),
        std::pair("127.0.0.1.evil.example", 403),
        std::pair("localhost@evil.example", 403), std::pair("::1", 403)}) {
    CAPTURE(host);
    asked.host = host;
    CHECK(fixture.handle(asked).status == status);
  }
}

TEST_CASE("a page of another origin changes nothing") {
  Fixture fixture;
  fixture.create();
  Request asked = request("DELETE", "/collections/c");
  asked.host = "127.0.0.1:6333";
  for (const char* origin : {"https://evil.example", "null", "http://127.0.0.1",
                             "127.0.0.1:6333", "http://127.0.0.1:6333x"}) {
    CAPTURE(origin);
    asked.origin = origin;
    const Reply reply = fixture.handle(asked);
    CHECK(reply.status == 403);
    CHECK(header(reply, "Access-Control-Allow-Origin").empty());
  }
  asked.origin = "http://127.0.0.1:6333";
  CHECK(fixture.handle(asked).status == 200);
}

TEST_CASE("an origin that is set may ask, and no other") {
  Fixture fixture;
  fixture.state().guard.set_keys(two_keys());
  fixture.state().guard.set_origins({"https://a.example"});
  Request asked = request("OPTIONS", "/collections");
  asked.origin = "https://a.example";
  const Reply preflight = fixture.handle(asked);
  CHECK(preflight.status == 204);
  CHECK(header(preflight, "Access-Control-Allow-Origin") ==
        "https://a.example");
  CHECK(
      header(preflight, "Access-Control-Allow-Headers").starts_with("api-key"));
  asked = request("GET", "/collections", kReader);
  asked.origin = "https://a.example";
  CHECK(header(fixture.handle(asked), "Vary") == "Origin");
  asked.origin = "https://b.example";
  CHECK(fixture.handle(asked).status == 403);
  fixture.state().guard.set_origins({"*"});
  CHECK(header(fixture.handle(asked), "Access-Control-Allow-Origin") == "*");
}

}  // namespace
}  // namespace lamina::server
