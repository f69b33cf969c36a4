#include "protocol/payload_selector.h"

#include <doctest/doctest.h>

#include "types/json_reader.h"

namespace lamina::protocol {
namespace {

constexpr std::string_view kPayload =
    R"({"city":"Berlin","a":{"b":1,"c":{"d":2}},"list":[{"x":1,"y":2},)"
    R"({"x":3},4],"numbers":[1,2],"dotted.key":{"z":5},"none":null})";

Result<PayloadSelector> parse(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  return read_payload_selector(document->root(), "with_payload");
}

std::string selected(std::string_view selector,
                     std::string_view payload = kPayload) {
  const Result<PayloadSelector> read = parse(selector);
  if (!read.ok()) return read.status().message();
  const Payload checked = Payload::from_json(payload).value();
  return std::string(read->apply(checked).json());
}

TEST_CASE("true is all of the payload, false nothing") {
  CHECK(selected("true") == kPayload);
  CHECK(selected("false") == "{}");
  CHECK(parse("true")->enabled);
  CHECK_FALSE(parse("false")->enabled);
  CHECK_FALSE(parse("[]")->enabled);
}

TEST_CASE("a list and include keep what the paths name") {
  CHECK(selected(R"(["city"])") == R"({"city":"Berlin"})");
  CHECK(selected(R"({"include":["city","none"]})") ==
        R"({"city":"Berlin","none":null})");
  CHECK(selected(R"(["a"])") == R"({"a":{"b":1,"c":{"d":2}}})");
  CHECK(selected(R"(["a.b"])") == R"({"a":{"b":1}})");
  CHECK(selected(R"(["a.c.d","a.b"])") == R"({"a":{"b":1,"c":{"d":2}}})");
  CHECK(selected(R"(["missing"])") == "{}");
  CHECK(selected(R"(["city.name"])") == "{}");
}

TEST_CASE("[] goes into the elements of an array, and a plain key does not") {
  CHECK(selected(R"(["list[].x"])") == R"({"list":[{"x":1},{"x":3}]})");
  CHECK(selected(R"(["list.x"])") == "{}");
  CHECK(selected(R"(["list[]"])") == R"({"list":[{"x":1,"y":2},{"x":3},4]})");
  CHECK(selected(R"(["numbers[]"])") == R"({"numbers":[1,2]})");
  CHECK(selected(R"(["a[].b"])") == "{}");
  CHECK(selected(R"(["m[][]"])", R"({"m":[[1,2],[3]],"n":4})") ==
        R"({"m":[[1,2],[3]]})");
}

TEST_CASE("exclude leaves out what the paths name") {
  CHECK(selected(R"({"exclude":["list","a","numbers","none"]})") ==
        R"({"city":"Berlin","dotted.key":{"z":5}})");
  CHECK(selected(R"({"exclude":["list[].x","a.c.d","city.name"]})") ==
        R"({"city":"Berlin","a":{"b":1,"c":{}},"list":[{"y":2},{},4],)"
        R"("numbers":[1,2],"dotted.key":{"z":5},"none":null})");
  CHECK(selected(R"({"exclude":["missing.path"]})") == kPayload);
  CHECK(selected(R"({"exclude":[]})") == kPayload);
}

TEST_CASE("a key in quotes may hold any character") {
  CHECK(selected(R"(["\"dotted.key\".z"])") == R"({"dotted.key":{"z":5}})");
  CHECK(selected(R"(["dotted.key"])") == "{}");
}

TEST_CASE("selectors that make no sense are refused by name") {
  CHECK(selected("1").starts_with("with_payload: expected true, false"));
  CHECK(selected("\"city\"").starts_with("with_payload: expected true, false"));
  CHECK(selected("[1]") == "with_payload[0]: expected a string, got a number");
  CHECK(selected(R"({"include":["a"],"exclude":["b"]})") ==
        "with_payload: expected either `include` or `exclude`");
  CHECK(selected("{}") ==
        "with_payload: expected either `include` or `exclude`");
  CHECK(selected(R"({"includes":["a"]})") ==
        "with_payload: unknown field `includes`");
  for (const char* path : {"", ".", "a.", ".a", "a..b", "a[", "a[0]", "a]",
                           "[]", "a[]b", "\\\"a", "a\\\"b"}) {
    CAPTURE(path);
    CHECK(selected("[\"" + std::string(path) + "\"]")
              .starts_with("with_payload[0]: not a payload path"));
  }
}

}  // namespace
}  // namespace lamina::protocol
