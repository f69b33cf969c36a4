#include "types/json_writer.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "types/json_reader.h"

namespace lamina {
namespace {

std::string float_text(float value) {
  return JsonWriter().float32(value).text();
}

std::string string_text(std::string_view value) {
  return JsonWriter().string(value).text();
}

TEST_CASE("commas stand between values and nowhere else") {
  JsonWriter json;
  json.begin_object();
  json.key("a").uint64(1);
  json.key("b").begin_array().uint64(2).begin_array().end_array();
  json.begin_object().end_object().null().end_array();
  json.key("c").begin_object().key("d").boolean(true).end_object();
  json.key("e").boolean(false).key("f").raw("{}");
  json.end_object();
  CHECK(json.text() ==
        R"({"a":1,"b":[2,[],{},null],"c":{"d":true},"e":false,"f":{}})");
}

TEST_CASE("a float is the shortest text that reads back, and looks like one") {
  CHECK(float_text(9.0f) == "9.0");
  CHECK(float_text(0.19f) == "0.19");
  CHECK(float_text(-0.0f) == "-0.0");
  CHECK(float_text(0.0f) == "0.0");
  CHECK(float_text(1e20f) == "1e+20");
  CHECK(JsonWriter().float64(0.000123).text() == "0.000123");
  CHECK(JsonWriter().float64(0.0).text() == "0.0");
}

TEST_CASE("the longest floats fit into a vector's text") {
  // Digits without an exponent, ".0" behind them: the longest text there is.
  const std::vector<float> values(1000, -7212154486784.0f);
  CHECK(float_text(values[0]) == "-7212154486784.0");
  const std::string text = JsonWriter().vector(values).text();
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  std::vector<float> read;
  REQUIRE(document->root().read_floats("", &read).ok());
  CHECK(read == values);
}

TEST_CASE("random float bits survive writing and reading") {
  std::mt19937 random(1);
  std::vector<float> values;
  while (values.size() < 100'000) {
    const float value =
        std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) values.push_back(value);
  }
  const std::string text = JsonWriter().vector(values).text();
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  std::vector<float> read;
  REQUIRE(document->root().read_floats("", &read).ok());
  REQUIRE(read.size() == values.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    different += std::bit_cast<std::uint32_t>(values[i]) !=
                 std::bit_cast<std::uint32_t>(read[i]);
  }
  CHECK(different == 0);
}

TEST_CASE("a vector stands among other values") {
  const std::vector<float> values = {1.0f, -2.5f};
  JsonWriter json;
  json.begin_array().vector(values).vector({}).uint64(3).end_array();
  CHECK(json.text() == "[[1.0,-2.5],[],3]");
}

TEST_CASE("strings are escaped") {
  CHECK(string_text("a\"b\\c\n\r\t\x01\x1f/") ==
        R"("a\"b\\c\n\r\t\u0001\u001f/")");
  CHECK(string_text(std::string_view("\0", 1)) == R"("\u0000")");
  CHECK(string_text("é😀") == "\"é😀\"");
  CHECK(JsonWriter().begin_object().key("a\"b").text() == R"({"a\"b":)");
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD") {
  CHECK(string_text("a\xFFz") == "\"a\xEF\xBF\xBDz\"");
  CHECK(string_text("\xC3") == "\"\xEF\xBF\xBD\"");
  CHECK(JsonDocument::parse(string_text("\xED\xA0\x80 \xC0\x80")).ok());
}

TEST_CASE("ids are numbers or strings") {
  CHECK(JsonWriter().point_id(18446744073709551615u).text() ==
        "18446744073709551615");
  const Result<PointId> uuid =
      PointId::parse_uuid("98A9A4B1-4ef2-46fb-8315-a97d874fe1d7");
  REQUIRE(uuid.ok());
  CHECK(JsonWriter().point_id(*uuid).text() ==
        "\"98a9a4b1-4ef2-46fb-8315-a97d874fe1d7\"");
}

}  // namespace
}  // namespace lamina
