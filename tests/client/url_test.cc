#include "url.h"

#include <doctest/doctest.h>

namespace lamina::client {
namespace {

TEST_CASE("a URL names host, port and prefix") {
  const Result<Url> url = parse_url("http://db.example:7000/some/prefix");
  REQUIRE(url.ok());
  CHECK(url->host == "db.example");
  CHECK(url->port == 7000);
  CHECK(url->prefix == "/some/prefix");
  CHECK(url->authority() == "db.example:7000");
}

TEST_CASE("port and prefix may be left out") {
  const Result<Url> url = parse_url("http://127.0.0.1");
  REQUIRE(url.ok());
  CHECK(url->port == 6333);
  CHECK(url->prefix.empty());
}

TEST_CASE("slashes at the end are no prefix") {
  CHECK(parse_url("http://a/").value().prefix.empty());
  CHECK(parse_url("http://a/p//").value().prefix == "/p");
}

TEST_CASE("an IPv6 address stands in brackets") {
  const Result<Url> url = parse_url("http://[::1]:6334/p");
  REQUIRE(url.ok());
  CHECK(url->host == "::1");
  CHECK(url->port == 6334);
  CHECK(url->authority() == "[::1]:6334");
}

TEST_CASE("what is no such URL is refused and repeated in the message") {
  for (const char* text : {"",
                           "127.0.0.1:6333",
                           "https://a",
                           "http://",
                           "http://:1",
                           "http://a:",
                           "http://a:0",
                           "http://a:65536",
                           "http://a:1x",
                           "http://a:-1",
                           "http://u@a",
                           "http://a?q",
                           "http://a/p?q",
                           "http://a/p#f",
                           "http://a/p q",
                           "http://a\r\nX: y",
                           "http://a/\r\nX: y",
                           "http://[::1",
                           "http://[]",
                           "http://[::1]x",
                           "http://a b"}) {
    CAPTURE(text);
    const Result<Url> url = parse_url(text);
    REQUIRE_FALSE(url.ok());
    CHECK(url.status().code() == StatusCode::invalid_argument);
    CHECK(url.status().message().find(text) != std::string::npos);
  }
}

}  // namespace
}  // namespace lamina::client
