#include "types/json_reader.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace lamina {
namespace {

std::string error_of(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  return document.ok() ? "" : document.status().message();
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

// The float at the one place of a document of one value.
Result<float> float_of(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  return document->root().as_float("x");
}

Result<std::vector<float>> floats_of(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return document.status();
  std::vector<float> values;
  const Status read = document->root().read_floats("v", &values);
  if (!read.ok()) return read;
  return values;
}

TEST_CASE("every kind of value is read") {
  const std::string text =
      R"( { "n" : null , "t":true,"f":false, "i":12, "s":"x y", "a":[1,"b"],)"
      R"( "o":{"p":{}} } )";
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  const auto members = document->root().members();
  REQUIRE(members.size() == 7);
  CHECK(members[0].key == "n");
  CHECK(members[0].value.is_null());
  CHECK(members[1].value.boolean());
  CHECK_FALSE(members[2].value.boolean());
  CHECK(members[3].value.number() == "12");
  CHECK(members[4].value.string() == "x y");
  REQUIRE(members[5].value.elements().size() == 2);
  CHECK(members[5].value.elements()[0].number() == "1");
  CHECK(members[5].value.elements()[1].string() == "b");
  CHECK(members[6].key == "o");
  CHECK(members[6].value.depth() == 2);
  CHECK(document->root().depth() == 3);
  CHECK(document->root().compact_text() ==
        R"({"n":null,"t":true,"f":false,"i":12,"s":"x y","a":[1,"b"],)"
        R"("o":{"p":{}}})");
}

TEST_CASE("an array of numbers gives its elements as they stand in the text") {
  for (const char* text : {"[1,-2.50,3e5]", " [ 1 ,\n-2.50\t, 3e5 ] "}) {
    CAPTURE(text);
    const Result<JsonDocument> document = JsonDocument::parse(text);
    REQUIRE(document.ok());
    const auto elements = document->root().elements();
    REQUIRE(elements.size() == 3);
    CHECK(document->root().size() == 3);
    CHECK(document->root().depth() == 1);
    CHECK(elements[0].number() == "1");
    CHECK(elements[1].number() == "-2.50");
    CHECK(elements[2].kind() == JsonKind::number);
    CHECK(elements[2].compact_text() == "3e5");
    CHECK(elements[2].depth() == 0);
    CHECK(document->root().compact_text() == "[1,-2.50,3e5]");
  }
}

TEST_CASE("an array that stops being numbers keeps all its elements") {
  const Result<JsonDocument> document =
      JsonDocument::parse(R"([1, 2, "three", [4, 5], null, 6])");
  REQUIRE(document.ok());
  const auto elements = document->root().elements();
  REQUIRE(elements.size() == 6);
  CHECK(elements[1].number() == "2");
  CHECK(elements[2].string() == "three");
  REQUIRE(elements[3].elements().size() == 2);
  CHECK(elements[3].elements()[1].number() == "5");
  CHECK(elements[4].is_null());
  CHECK(elements[5].number() == "6");
}

TEST_CASE("empty containers are empty") {
  const Result<JsonDocument> document = JsonDocument::parse(R"([[],{}, [ ]])");
  REQUIRE(document.ok());
  for (const JsonValue& element : document->root().elements()) {
    CHECK(element.size() == 0);
    CHECK(element.depth() == 1);
  }
}

TEST_CASE("strings are unescaped, and their text is kept") {
  const std::string text =
      R"(["plain","tab\t \"quoted\" \\ \/","\u00e9\ud83d\ude00","é😀"])";
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  const auto elements = document->root().elements();
  REQUIRE(elements.size() == 4);
  CHECK(elements[0].string() == "plain");
  CHECK(elements[1].string() == "tab\t \"quoted\" \\ /");
  CHECK(elements[2].string() == "é😀");
  CHECK(elements[3].string() == "é😀");
  CHECK(document->root().compact_text() == text);
}

TEST_CASE("white space inside strings stays, also behind an escaped quote") {
  const Result<JsonDocument> document =
      JsonDocument::parse(R"({ "a b\" c" : "d \\" , "e" : " f " })");
  REQUIRE(document.ok());
  CHECK(document->root().compact_text() == R"({"a b\" c":"d \\","e":" f "})");
}

TEST_CASE("strings without escapes are views into the source") {
  const std::string text = R"({"key":"value"})";
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  const auto members = document->root().members();
  const std::string_view value = members[0].value.string();
  CHECK(value.data() == text.data() + text.find("value"));
  CHECK(members[0].key.data() == text.data() + 2);
}

TEST_CASE("a document may be moved") {
  const std::string text = R"({"a":["x\n"]})";
  Result<JsonDocument> parsed = JsonDocument::parse(text);
  REQUIRE(parsed.ok());
  const JsonDocument moved = *std::move(parsed);
  CHECK(moved.root().members()[0].value.elements()[0].string() == "x\n");
}

TEST_CASE("what is not JSON is refused with its place") {
  CHECK(error_of("") != "");
  CHECK(error_of("  ") != "");
  CHECK(error_of("{\"a\":1,}").ends_with("at byte 7"));
  CHECK(error_of("[1,]").ends_with("at byte 3"));
  CHECK(error_of("[1 2]").ends_with("at byte 3"));
  CHECK(error_of("{\"a\" 1}").ends_with("at byte 5"));
  CHECK(error_of("{1:2}") != "");
  CHECK(error_of("[1,2").ends_with("at byte 4"));
  CHECK(error_of("\"open") != "");
  CHECK(error_of("nul") != "");
  CHECK(error_of("'x'") != "");
  CHECK(error_of("/* c */ 1") != "");
  CHECK(error_of("\xEF\xBB\xBF{}") != "");
}

TEST_CASE("bytes behind the value are refused") {
  CHECK(error_of("{} x").ends_with("at byte 3"));
  CHECK(error_of("1 2") != "");
  CHECK(error_of("[1]]") != "");
  CHECK(error_of(std::string_view("1\0", 2)).ends_with("at byte 1"));
  CHECK(error_of(std::string_view("{}\0{}", 5)).ends_with("at byte 2"));
  CHECK(error_of(std::string_view("[1,\0]", 5)) != "");
  CHECK(error_of(std::string_view("\"a\0b\"", 5)) != "");
  CHECK(error_of(std::string_view("\0", 1)) != "");
}

TEST_CASE("numbers keep to the grammar") {
  for (const char* number :
       {"01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity",
        "-Infinity", "1_0", "--1", "1.e5", "00"}) {
    CAPTURE(number);
    CHECK(error_of(number) != "");
    CHECK(error_of("[" + std::string(number) + "]") != "");
    CHECK(error_of("[1, " + std::string(number) + "]") != "");
    CHECK(error_of("{\"a\":" + std::string(number) + "}") != "");
  }
  for (const char* number : {"0", "-0", "0.0", "1e5", "1E+05", "-1.5e-3"}) {
    CAPTURE(number);
    CHECK(error_of(number) == "");
    CHECK(error_of("[" + std::string(number) + "]") == "");
  }
}

TEST_CASE("a key may stand once in an object") {
  CHECK(error_of(R"({"a":1,"b":2,"a":3})").find("duplicate key \"a\"") == 0);
  CHECK(error_of(R"({"a":1,"\u0061":2})").find("duplicate key") == 0);
  CHECK(error_of(R"({"o":{"a":[1],"a":[2]}})").find("duplicate key") == 0);
  CHECK(error_of(R"([{"a":1},{"a":2}])") == "");
  CHECK(error_of(R"({"a":{"a":{"a":1}},"b":{"a":1}})") == "");
}

TEST_CASE("text that is not UTF-8 is refused") {
  for (const char* bytes :
       {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3",
        "\xE2\x82", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\udc00\\ud800",
        "a\\udfffz"}) {
    CAPTURE(bytes);
    CHECK(error_of("\"" + std::string(bytes) + "\"") != "");
    CHECK(error_of("{\"" + std::string(bytes) + "\":1}") != "");
  }
}

TEST_CASE("control characters in strings are refused") {
  CHECK(error_of("\"a\nb\"") != "");
  CHECK(error_of("\"a\x01\"") != "");
  CHECK(error_of("\"a\x7F\"") == "");
}

TEST_CASE("nesting is bounded and takes no stack") {
  const std::string at_limit = repeated("[", 64) + repeated("]", 64);
  CHECK(error_of(at_limit) == "");
  CHECK(error_of("[" + at_limit + "]").find("deeper than 64") !=
        std::string::npos);
  CHECK(error_of(repeated("{\"a\":", 65) + "1" + repeated("}", 65)) != "");
  CHECK(error_of(repeated("[", 200'000)).find("deeper than 64") !=
        std::string::npos);
  CHECK(error_of(repeated("[", 1'000'000) + repeated("]", 1'000'000)) != "");
  CHECK(error_of(repeated("{\"a\":", 100'000)) != "");
  CHECK(error_of(repeated("[1,", 100'000)) != "");
  CHECK(JsonDocument::parse("[[1]]", 2).ok());
  CHECK_FALSE(JsonDocument::parse("[[1]]", 1).ok());
}

TEST_CASE("numbers with absurd exponents are read without harm") {
  CHECK(*float_of("0.0000000001e-2147483639") == 0.0f);
  for (const char* mantissa : {"0.0000000001", "1", "-1.5", "0", "123456789.5",
                               "0.000000000000000000000000000000000000001"}) {
    for (const char* exponent : {"e-2147483639", "e-2147483648", "E-2147483649",
                                 "e-999999999999999999", "e-308", "e-324",
                                 "e+0", "e0000000000000000000000001"}) {
      const std::string number = std::string(mantissa) + exponent;
      CAPTURE(number);
      CHECK(error_of(number) == "");
      CHECK(error_of("[" + number + "]") == "");
      CHECK(float_of(number).ok());
      CHECK(floats_of("[" + number + "]").ok());
    }
    // Wherever it stands: refused before anybody asks for a type.
    const std::string huge = std::string(mantissa) + "e2147483647";
    CAPTURE(huge);
    CHECK(error_of(huge) != "");
    CHECK(error_of("[" + huge + "]") != "");
    CHECK(error_of("[1," + huge + "]") != "");
  }
}

TEST_CASE("numbers longer than a float needs are numbers all the same") {
  const std::string digits = repeated("1", 100);
  const std::string text = "[0.5, 1e-300, 0." + digits + ", -1e-007]";
  CHECK(*floats_of(text) ==
        std::vector<float>{0.5f, 0.0f, 0.11111111f, -1e-7f});
  CHECK(floats_of("[" + digits + "]").status().message().starts_with("v[0]: "));
  CHECK(error_of(repeated("1", 400)) != "");
  CHECK(error_of("[" + repeated("1", 400) + "]") != "");
}

TEST_CASE("floats too small become zero, floats too large are refused") {
  CHECK(*float_of("1e-50") == 0.0f);
  CHECK(std::signbit(*float_of("-1e-50")));
  CHECK(std::signbit(*float_of("-0")));
  CHECK(std::signbit(*float_of("-0.0")));
  CHECK(*float_of("1.401298464324817e-45") ==
        std::numeric_limits<float>::denorm_min());
  CHECK(*float_of("1.1754942106924411e-38") == 0x1.fffffcp-127f);
  CHECK(*float_of("3.4028234663852886e38") ==
        std::numeric_limits<float>::max());
  CHECK(*float_of("16777217") == 16777216.0f);
  CHECK(*float_of("0.1") == 0.1f);
  CHECK(float_of("1e39").status().message() ==
        "x: value 1e39 is out of range of a 32-bit float");
  CHECK_FALSE(float_of("-3.5e38").ok());
  CHECK_FALSE(float_of("1e400").ok());
  CHECK(float_of("\"1\"").status().message() ==
        "x: expected a number, got a string");
}

TEST_CASE("a vector's error names its element") {
  CHECK(floats_of("[]")->empty());
  CHECK(*floats_of(" [ 0.5 , -2 ] ") == std::vector<float>{0.5f, -2.0f});
  CHECK(floats_of("[1, 1e39]").status().message().find("v[1]: ") == 0);
  CHECK(floats_of("[1, null]").status().message() ==
        "v[1]: expected a number, got null");
  CHECK(floats_of("[1, [2]]").status().message() ==
        "v[1]: expected a number, got an array");
  CHECK(floats_of("{}").status().message() ==
        "v: expected an array, got an object");
}

TEST_CASE("a refused vector leaves the values as they were") {
  const Result<JsonDocument> document = JsonDocument::parse("[1, 2, 1e39]");
  REQUIRE(document.ok());
  std::vector<float> values = {7.0f};
  CHECK_FALSE(document->root().read_floats("v", &values).ok());
  CHECK(values == std::vector<float>{7.0f});
}

TEST_CASE("unsigned integers are exact, and nothing else passes for one") {
  const auto read = [](std::string_view text) -> Result<std::uint64_t> {
    const Result<JsonDocument> document = JsonDocument::parse(text);
    if (!document.ok()) return document.status();
    return document->root().as_uint64("limit");
  };
  CHECK(*read("0") == 0);
  CHECK(*read("9007199254740993") == 9007199254740993u);
  CHECK(*read("18446744073709551615") == 18446744073709551615u);
  for (const char* text : {"18446744073709551616", "-1", "1.0", "1e3", "-0",
                           "\"10\"", "null", "true", "[10]"}) {
    CAPTURE(text);
    CHECK_FALSE(read(text).ok());
  }
  CHECK(read("-1").status().message() ==
        "limit: expected an unsigned 64-bit integer, got -1");
}

TEST_CASE("a point id is an unsigned integer or a UUID string") {
  const auto read = [](std::string_view text) -> Result<PointId> {
    const Result<JsonDocument> document = JsonDocument::parse(text);
    if (!document.ok()) return document.status();
    return document->root().as_point_id("");
  };
  CHECK(*read("18446744073709551615") == PointId(18446744073709551615u));
  CHECK(read("\"98a9a4b1-4ef2-46fb-8315-a97d874fe1d7\"")->is_uuid());
  CHECK(read("\"5\"").status().message() ==
        "value \"5\" is not a valid point ID, valid values are either an "
        "unsigned integer or a UUID");
  CHECK(read("-1").status().message().find("value -1 is not a valid") == 0);
  for (const char* text : {"1.0", "1e3", "18446744073709551616", "null", "{}",
                           "[1]", "true", "\"\""}) {
    CAPTURE(text);
    CHECK_FALSE(read(text).ok());
  }
}

TEST_CASE("messages stay short, however long the value") {
  const std::string long_string = "\"" + repeated("é", 100'000) + "\"";
  const Result<JsonDocument> document = JsonDocument::parse(long_string);
  REQUIRE(document.ok());
  CHECK(document->root().as_point_id("id").status().message().size() < 300);
}

}  // namespace
}  // namespace lamina
