#include "protocol/paths.h"

#include <doctest/doctest.h>

namespace lamina::protocol {
namespace {

TEST_CASE("any bytes survive a path segment") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string encoded = encode_segment(all);
  CHECK(encoded.find_first_of("/?#& \"<>\\") == std::string::npos);
  std::string decoded = "left over";
  REQUIRE(decode_segment(encoded, &decoded));
  CHECK(decoded == all);
}

TEST_CASE("unreserved characters stay, all others are encoded once") {
  CHECK(encode_segment("aZ09-._~") == "aZ09-._~");
  CHECK(encode_segment("a b/é%") == "a%20b%2F%C3%A9%25");
}

TEST_CASE("a segment is decoded once, and broken escapes are refused") {
  std::string decoded;
  REQUIRE(decode_segment("%2525+%c3%A9", &decoded));
  CHECK(decoded == "%25+é");
  for (const char* text : {"%", "%2", "a%", "%zz", "%2z", "%-1"}) {
    CAPTURE(text);
    CHECK_FALSE(decode_segment(text, &decoded));
  }
}

TEST_CASE("paths name collection and point") {
  CHECK(collection_path("my set") == "/collections/my%20set");
  CHECK(points_path("a") == "/collections/a/points");
  CHECK(points_path("a", "/query") == "/collections/a/points/query");
  CHECK(point_path("a", PointId(7)) == "/collections/a/points/7");
  CHECK(flush_path("a/b") == "/v1/collections/a%2Fb/flush");
}

}  // namespace
}  // namespace lamina::protocol
