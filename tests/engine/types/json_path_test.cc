#include "types/json_path.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lamina/limits.h"

namespace lamina {
namespace {

// What the path names in the text, as JSON.
std::vector<std::string> values_at(std::string_view path,
                                   std::string_view text) {
  const JsonDocument document = JsonDocument::parse(text).value();
  std::vector<JsonValue> values;
  JsonPath::parse(path).value().collect(document.root(), &values);
  std::vector<std::string> texts;
  for (const JsonValue& value : values) texts.push_back(value.compact_text());
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("a path names members, elements and all elements") {
  const std::string text =
      R"({"a":{"b":[1,[2,3],{"c":4}]},"x.y":5,"größe":6,"":7,"n":[8,9]})";
  CHECK(values_at("a.b[0]", text) == Texts{"1"});
  CHECK(values_at("a.b[1][1]", text) == Texts{"3"});
  CHECK(values_at("a.b[]", text) == Texts{"1", "[2,3]", R"({"c":4})"});
  CHECK(values_at("a.b[].c", text) == Texts{"4"});
  CHECK(values_at("a.b[][]", text) == Texts{"2", "3"});
  CHECK(values_at("\"x.y\"", text) == Texts{"5"});
  CHECK(values_at("größe", text) == Texts{"6"});
  CHECK(values_at("\"\"", text) == Texts{"7"});
  CHECK(values_at("n[1]", text) == Texts{"9"});
}

TEST_CASE("a path names nothing where the payload is of another shape") {
  const std::string text = R"({"a":[{"b":1}],"o":{"b":1},"s":"text"})";
  for (const char* path :
       {"a.b", "o[]", "o[0]", "s.x", "s[]", "a[1].b", "z", "a[4294967295]"}) {
    CHECK(values_at(path, text) == Texts{});
  }
}

TEST_CASE("what is no path is refused") {
  for (const char* text :
       {"", ".", "a.", ".a", "a..b", "[]", "[0]", "a[", "a[x]", "a[-1]",
        "a[1]b", "a]", "\"a", "a\"b\"", "a[4294967296]", "a[ 1]", "a.n\xc4w"}) {
    CHECK_MESSAGE(!JsonPath::parse(text).ok(), text);
  }
}

TEST_CASE("a path may be as long as a payload is deep, not longer") {
  std::string path = "a";
  for (std::size_t i = 1; i < kMaxJsonDepth; ++i) path += ".a";
  CHECK(JsonPath::parse(path).ok());
  CHECK_FALSE(JsonPath::parse(path + ".a").ok());
  const Status huge = JsonPath::parse(std::string(1 << 20, 'a') + ".").status();
  CHECK(huge.message().size() < 300);
}

TEST_CASE("two spellings of one path are equal") {
  CHECK(JsonPath::parse("\"a\".b").value() == JsonPath::parse("a.b").value());
  CHECK(JsonPath::parse("a[]").value() != JsonPath::parse("a").value());
  CHECK(JsonPath::parse("a").value().of_elements() ==
        JsonPath::parse("a[]").value());
  CHECK(JsonPath::parse("a[].b").value().names_many());
  CHECK_FALSE(JsonPath::parse("a[3].b").value().names_many());
}

}  // namespace
}  // namespace lamina
