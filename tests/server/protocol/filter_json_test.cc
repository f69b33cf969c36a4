#include "protocol/filter_json.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "lamina/limits.h"
#include "protocol/message.h"
#include "types/filter_check.h"

namespace lamina::protocol {
namespace {

using namespace where;

Result<Filter> decode(std::string_view body) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok()) return document.status();
  return read_filter(document->root(), "filter");
}

std::string encode(const Filter& filter) {
  JsonWriter json;
  write_filter(filter, &json);
  return json.take();
}

// One of everything.
Filter rich_filter() {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  const PointId uuid =
      PointId::parse_uuid("67e55044-10b1-426f-9247-bb680e5fe0c8").value();
  return Filter::Clauses{
      .must = {match("a", "x"), match("a", 9007199254740993), match("a", true),
               match_any("b[].c", {"x", "größe"}), match_any("b", {1, -2}),
               match_any("b", {}), match_except("b", {kLeast}),
               match_text("t", "a \"b\""), match_text_any("t", "a b"),
               match_phrase("t", "a b"), match_prefix("t", "")},
      .should = {range("n", {.gt = -0.5, .lte = 9007199254740993}),
                 range("n", {.gte = 3.0, .lt = 1e300}), range("n", {}),
                 datetime_range("d", {.gte = "2024-01-01T00:00:00Z"}),
                 values_count("v", {.gt = 1, .lt = 5}), is_empty("e"),
                 is_empty("e", false), is_null("e"), is_null("e", false)},
      .must_not = {has_id({1, ~std::uint64_t{0}, uuid}), slice(1, 3),
                   nested("o", Filter::all_of({match("p", 1)})),
                   Filter::any_of({match("q", 1), Filter{}})},
      .min_should = Filter::Clauses::MinShould{2, {match("r", 1), Filter{}}}};
}

TEST_CASE("every condition reads back equal to what was written") {
  const Filter filter = rich_filter();
  REQUIRE(validate_filter(filter).ok());
  const Result<Filter> read = decode(encode(filter));
  REQUIRE_MESSAGE(read.ok(), read.status().to_string());
  CHECK(*read == filter);
  CHECK(decode(encode(Filter{})).value().empty());
}

TEST_CASE("the JSON of the contract means what it says") {
  const std::string body = R"({
    "must": {"key": "city", "match": {"value": "Berlin"}},
    "must_not": [{"is_null": {"key": "a.b"}}, {"is_empty": {"key": "c"}}],
    "should": [{"key": "n", "range": {"gte": 1, "lt": 2.5, "gt": null}},
               {"key": "d", "range": {"lte": "2024-01-01T00:00:00Z"}},
               {"has_id": [1, 2]},
               {"must": [{"key": "k", "is_empty": false}]},
               {"nested": {"key": "o", "filter": {
                   "must": [{"key": "p", "values_count": {"gt": 1}}]}}}],
    "min_should": {"conditions": [], "min_count": 1}})";
  const Filter expected = Filter::Clauses{
      .must = {match("city", "Berlin")},
      .should = {range("n", {.gte = 1, .lt = 2.5}),
                 datetime_range("d", {.lte = "2024-01-01T00:00:00Z"}),
                 has_id({1, 2}), Filter::all_of({is_empty("k", false)}),
                 nested("o", Filter::all_of({values_count("p", {.gt = 1})}))},
      .must_not = {is_null("a.b"), is_empty("c")},
      .min_should = Filter::Clauses::MinShould{1, {}}};
  const Result<Filter> read = decode(body);
  REQUIRE_MESSAGE(read.ok(), read.status().to_string());
  CHECK(*read == expected);
}

TEST_CASE("a filter that asks nothing is empty, an empty should as well") {
  for (const char* body :
       {"{}", R"({"should":[]})", R"({"must":[],"must_not":null})"}) {
    const Result<Filter> read = decode(body);
    REQUIRE_MESSAGE(read.ok(), read.status().to_string());
    CHECK(read->empty());
  }
}

TEST_CASE("what is no filter is refused with the place that is wrong") {
  struct Case {
    std::string body;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"5", "filter: expected an object, got a number"},
      {"[]", "filter: expected an object, got an array"},
      {R"({"mus":[]})", "mus"},
      {R"({"must":5})", "filter.must: expected a condition or a list"},
      {R"({"must":[5]})", "filter.must[0]: expected an object"},
      {R"({"must":[{"key":"a"}]})", "filter.must[0]: expected one of match"},
      {R"({"must":[{"key":"a","match":{}}]})", "filter.must[0].match"},
      {R"({"must":[{"key":"a","match":{"value":1,"text":"b"}}]})",
       "filter.must[0].match: expected only one of value and text"},
      {R"({"must":[{"key":"a","match":{"value":1},"range":{"lt":1}}]})",
       "filter.must[0]: expected only one of match and range"},
      {R"({"must":[{"key":"a","match":{"value":1},"boost":2}]})", "boost"},
      {R"({"must":[{"key":"a","match":{"valu":1}}]})", "valu"},
      {R"({"must":[{"key":"a","match":{"value":1.5}}]})",
       "filter.must[0].match.value: expected a string, a 64-bit integer"},
      {R"({"must":[{"key":"a","match":{"value":9223372036854775808}}]})",
       "filter.must[0].match.value"},
      {R"({"must":[{"key":"a","match":{"value":null}}]})",
       "filter.must[0].match"},
      {R"({"must":[{"key":"a","match":{"any":[1,"b"]}}]})", "neither"},
      {R"({"must":[{"key":"a","match":{"any":[true]}}]})", "neither"},
      {R"({"must":[{"key":"a","match":{"any":1}}]})",
       "filter.must[0].match.any: expected an array"},
      {R"({"must":[{"key":"a","range":{"lt":"x"}}]})",
       "filter.must[0].range.lt: expected a time"},
      {R"({"must":[{"key":"a","range":{"lt":1,"gt":"2024-01-01"}}]})",
       "filter.must[0].range.gt: expected a number"},
      {R"({"must":[{"key":"a","range":{"foo":1}}]})", "foo"},
      {R"({"must":[{"key":"a","range":{"lt":1e400}}]})", ""},
      {R"({"must":[{"key":"a","values_count":{"lt":-1}}]})",
       "filter.must[0].values_count.lt"},
      {R"({"must":[{"key":"a..b","match":{"value":1}}]})",
       "filter.must[0].key: not a payload path"},
      {R"({"must":[{"key":5,"match":{"value":1}}]})", "filter.must[0].key"},
      {R"({"must":[{"is_null":"a"}]})", "filter.must[0].is_null"},
      {R"({"must":[{"is_null":{"key":"a","x":1}}]})", "x"},
      {R"({"must":[{"is_null":{"key":"a"},"x":1}]})", "x"},
      {R"({"must":[{"has_id":1}]})", "filter.must[0].has_id"},
      {R"({"must":[{"has_id":[-1]}]})", "filter.must[0].has_id[0]"},
      {R"({"must":[{"slice":{"total":2}}]})", "index"},
      {R"({"must":[{"slice":{"total":2,"index":2}}]})", "slice"},
      {R"({"must":[{"slice":{"total":0,"index":0}}]})", "slice"},
      {R"({"must":[{"nested":{"key":"a"}}]})", "filter"},
      {R"({"must":[{"nested":{"filter":{}}}]})", "key"},
      {R"({"must":[{"has_vector":"a"}]})", "named vectors"},
      {R"({"must":[{"key":"a","geo_radius":{}}]})", "places"},
      {R"({"min_should":{"conditions":[]}})", "min_count"},
      {R"({"min_should":{"conditions":[],"min_count":0}})", "min_count"},
      {R"({"min_should":{"min_count":1}})", "conditions"}};
  for (const Case& one : cases) {
    const Result<Filter> read = decode(one.body);
    CAPTURE(one.body);
    REQUIRE_FALSE(read.ok());
    CHECK(read.status().code() == StatusCode::invalid_argument);
    const std::string text = read.status().to_string();
    CHECK_MESSAGE(text.find(one.message) != text.npos, text);
  }
}

TEST_CASE("a filter cut off at any byte is refused") {
  const std::string body = encode(rich_filter());
  for (std::size_t size = 0; size < body.size(); ++size) {
    CHECK_FALSE(decode(std::string_view(body).substr(0, size)).ok());
  }
  CHECK(decode(body).ok());
}

// {"must":[{"must":[ ... {} ... ]}]}
std::string deep_body(std::size_t levels) {
  std::string body;
  for (std::size_t i = 0; i < levels; ++i) body += R"({"must":[)";
  body += R"({"key":"a","match":{"any":[1]}})";
  for (std::size_t i = 0; i < levels; ++i) body += "]}";
  return body;
}

TEST_CASE("depth is bounded, however deep it goes") {
  CHECK(decode(deep_body(kMaxFilterDepth)).ok());
  const Status one_more = decode(deep_body(kMaxFilterDepth + 1)).status();
  CHECK(one_more.code() == StatusCode::invalid_argument);
  CHECK(one_more.message().find("32 levels") != std::string::npos);
  for (const std::size_t levels : {1'000u, 100'000u}) {
    const Status refused = decode(deep_body(levels)).status();
    CHECK(refused.code() == StatusCode::invalid_argument);
    CHECK(refused.message().find("levels") != std::string::npos);
  }
}

// The deepest that validate_filter() lets pass, by each way to nest.
TEST_CASE("whatever passes the check is read back from its JSON form") {
  using Wrap = Filter (*)(Filter);
  const std::vector<Wrap> wraps = {
      [](Filter inner) { return Filter::all_of({std::move(inner)}); },
      [](Filter inner) {
        return Filter::all_of({nested("a", std::move(inner))});
      },
      [](Filter inner) { return Filter::at_least(1, {std::move(inner)}); },
      [](Filter inner) {
        return Filter::at_least(1, {nested("a", std::move(inner))});
      }};
  for (const Wrap wrap : wraps) {
    Filter filter = Filter::all_of({match_any("a", {1})});
    Filter deeper = wrap(filter);
    while (validate_filter(deeper).ok()) {
      filter = deeper;
      deeper = wrap(filter);
    }
    // Where requests put it: {"operations":[{"delete":{"filter": ...}}]}.
    const std::string body =
        R"({"operations":[{"delete":{"filter":)" + encode(filter) + "}}]}";
    CHECK(parse_message(body).ok());
    CHECK(decode(encode(filter)).value() == filter);
  }
}

TEST_CASE("the number of conditions and of values is bounded") {
  const auto conditions = [](std::size_t count) {
    return Filter::any_of(std::vector<Condition>(count, match("a", 1)));
  };
  CHECK(decode(encode(conditions(kMaxFilterConditions))).ok());
  const Status conditions_refused =
      decode(encode(conditions(kMaxFilterConditions + 1))).status();
  CHECK(conditions_refused.message().find("10000") != std::string::npos);

  const auto values = [](std::size_t count) {
    return Filter::all_of({match_any("a", std::vector<Value>(count, 1))});
  };
  CHECK(decode(encode(values(kMaxFilterValues))).ok());
  const Status values_refused =
      decode(encode(values(kMaxFilterValues + 1))).status();
  CHECK(values_refused.message().find("100000") != std::string::npos);
}

}  // namespace
}  // namespace lamina::protocol
