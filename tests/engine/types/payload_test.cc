#include "lamina/payload.h"

#include <doctest/doctest.h>

#include <string>

#include "lamina/limits.h"

namespace lamina {
namespace {

std::string nested(std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += "{\"a\":";
  text += "1";
  for (std::size_t i = 0; i < levels; ++i) text += "}";
  return text;
}

TEST_CASE("a payload keeps its values as they were written") {
  const std::string text =
      R"({ "one" : 1.0, "tenth": 0.1, "big":1e308, "id":9007199254740993,)"
      R"( "tiny":5e-324, "escaped":"\u00e9", "list":[1, 2.50, -0] })";
  const Result<Payload> payload = Payload::from_json(text);
  REQUIRE(payload.ok());
  CHECK(payload->json() ==
        R"({"one":1.0,"tenth":0.1,"big":1e308,"id":9007199254740993,)"
        R"("tiny":5e-324,"escaped":"\u00e9","list":[1,2.50,-0]})");
  CHECK_FALSE(payload->empty());
}

TEST_CASE("an empty payload is {} however it came about") {
  const Result<Payload> read = Payload::from_json(" { } ");
  REQUIRE(read.ok());
  CHECK(read->empty());
  CHECK(read->json() == "{}");
  CHECK(*read == Payload());
  CHECK(Payload::from_checked_json("{}").empty());
}

TEST_CASE("copies share one text, which outlives the original") {
  Payload copy;
  std::string_view text;
  {
    const Payload original = Payload::from_checked_json(R"({"a":1})");
    copy = original;
    text = original.json();
  }
  CHECK(text == R"({"a":1})");
  CHECK(copy.json().data() == text.data());
}

TEST_CASE("what is not one JSON object is refused") {
  for (const char* text : {"", "[]", "1", "null", "\"x\"", "{\"a\":1", "{} {}",
                           "{\"a\":NaN}", "{\"a\":1,\"a\":2}"}) {
    CAPTURE(text);
    const Result<Payload> payload = Payload::from_json(text);
    CHECK(payload.status().code() == StatusCode::invalid_argument);
  }
  CHECK_FALSE(Payload::from_json("{\"a\":\"\xFF\"}").ok());
}

TEST_CASE("depth and size are bounded") {
  CHECK(Payload::from_json(nested(kMaxJsonDepth)).ok());
  CHECK_FALSE(Payload::from_json(nested(kMaxJsonDepth + 1)).ok());
  std::string text = "{\"a\":\"";
  text.append(kMaxPayloadBytes - text.size() - 2, 'x');
  text += "\"}";
  CHECK(Payload::from_json(text).ok());
  text += " ";
  CHECK_FALSE(Payload::from_json(text).ok());
}

}  // namespace
}  // namespace lamina
