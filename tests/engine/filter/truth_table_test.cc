#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "engine/filter/filter_rows.h"

// What each condition says of each kind of value, written out: the rules of
// docs/filters.md.
namespace lamina {
namespace {

using namespace where;
using test::FilterRows;
using Ids = std::vector<std::uint64_t>;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

// One row for each kind of value at "v".
FilterRows kinds() {
  return FilterRows({
      R"({})",               // 0 missing
      R"({"v":null})",       // 1
      R"({"v":[]})",         // 2
      R"({"v":[null]})",     // 3
      R"({"v":true})",       // 4
      R"({"v":5})",          // 5
      R"({"v":5.0})",        // 6
      R"({"v":"5"})",        // 7
      R"({"v":[5,"5"]})",    // 8
      R"({"v":{"w":5}})",    // 9
      R"({"v":[{"w":5}]})",  // 10
      R"({"v":[[5]]})",      // 11
      R"({"v":""})",         // 12
  });
}

TEST_CASE("match never mixes types and looks into arrays one level deep") {
  const FilterRows rows = kinds();
  CHECK(rows.ids(Filter::all_of({match("v", 5)})) == Ids{5, 8});
  CHECK(rows.ids(Filter::all_of({match("v", "5")})) == Ids{7, 8});
  CHECK(rows.ids(Filter::all_of({match("v", true)})) == Ids{4});
  CHECK(rows.ids(Filter::all_of({match("v", false)})) == Ids{});
  CHECK(rows.ids(Filter::all_of({match("v", "")})) == Ids{12});
  CHECK(rows.ids(Filter::all_of({match_any("v", {5, 6})})) == Ids{5, 8});
  CHECK(rows.ids(Filter::all_of({match_any("v", {"5", ""})})) == Ids{7, 8, 12});
  CHECK(rows.ids(Filter::all_of({match_any("v", {})})) == Ids{});
}

TEST_CASE("except holds for values of other types, never for null or nothing") {
  const FilterRows rows = kinds();
  CHECK(rows.ids(Filter::all_of({match_except("v", {5})})) ==
        Ids{4, 6, 7, 8, 9, 10, 11, 12});
  CHECK(rows.ids(Filter::all_of({match_except("v", {"5", ""})})) ==
        Ids{4, 5, 6, 8, 9, 10, 11});
  CHECK(rows.ids(Filter::all_of({match_except("v", {})})) ==
        Ids{4, 5, 6, 7, 8, 9, 10, 11, 12});
}

TEST_CASE("must_not lets pass what has no value at all") {
  const FilterRows rows = kinds();
  CHECK(rows.ids(Filter::none_of({match("v", 5)})) ==
        Ids{0, 1, 2, 3, 4, 6, 7, 9, 10, 11, 12});
}

TEST_CASE("a range is about numbers of both kinds and about nothing else") {
  const FilterRows rows = kinds();
  CHECK(rows.ids(Filter::all_of({range("v", {})})) == Ids{5, 6, 8});
  CHECK(rows.ids(Filter::all_of({range("v", {.gte = 5, .lte = 5})})) ==
        Ids{5, 6, 8});
  CHECK(rows.ids(Filter::all_of({range("v", {.gt = 5})})) == Ids{});
  CHECK(rows.ids(Filter::all_of({range("v", {.gt = 4.5, .lt = 5.5})})) ==
        Ids{5, 6, 8});
}

TEST_CASE("null, empty and missing are told apart") {
  const FilterRows rows = kinds();
  CHECK(rows.ids(Filter::all_of({is_null("v")})) == Ids{1, 3});
  CHECK(rows.ids(Filter::all_of({is_null("v", false)})) ==
        Ids{0, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(rows.ids(Filter::all_of({is_empty("v")})) == Ids{0, 1, 2});
  CHECK(rows.ids(Filter::all_of({is_empty("v", false)})) ==
        Ids{3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(rows.ids(Filter::all_of({values_count("v", {.lte = 0})})) ==
        Ids{0, 1, 2});
  CHECK(rows.ids(Filter::all_of({values_count("v", {.gte = 2})})) == Ids{8});
}

TEST_CASE("integers beyond 2^53 and at the ends of 64 bits are exact") {
  const FilterRows rows({
      R"({"n":9007199254740992})",      // 0: 2^53
      R"({"n":9007199254740993})",      // 1
      R"({"n":9007199254740994})",      // 2
      R"({"n":9223372036854775807})",   // 3
      R"({"n":-9223372036854775808})",  // 4
      R"({"n":9223372036854775808})",   // 5: a double
      R"({"n":9007199254740992.0})",    // 6
  });
  constexpr std::int64_t kTwoTo53 = std::int64_t{1} << 53;
  const auto in = [&](const Bounds<Number>& bounds) {
    return rows.ids(Filter::all_of({range("n", bounds)}));
  };
  CHECK(rows.ids(Filter::all_of({match("n", kTwoTo53 + 1)})) == Ids{1});
  CHECK(in({.gt = kTwoTo53}) == Ids{1, 2, 3, 5});
  CHECK(in({.gt = 0x1p53}) == Ids{1, 2, 3, 5});
  CHECK(in({.gt = kTwoTo53, .lt = kTwoTo53 + 2}) == Ids{1});
  CHECK(in({.gte = kLeast}) == Ids{0, 1, 2, 3, 4, 5, 6});
  CHECK(in({.gt = kLeast}) == Ids{0, 1, 2, 3, 5, 6});
  CHECK(in({.gte = kMost}) == Ids{3, 5});
  CHECK(in({.lte = 0x1p63}) == Ids{0, 1, 2, 3, 4, 5, 6});
  CHECK(in({.lt = 0x1p63}) == Ids{0, 1, 2, 3, 4, 6});
  CHECK(in({.lt = -0x1p63}) == Ids{});
  CHECK(in({.gt = kMost}) == Ids{5});
  CHECK(in({.lt = kLeast}) == Ids{});
}

TEST_CASE("text is looked for byte for byte, in strings only") {
  const FilterRows rows({
      R"({"t":"a red rose"})",       // 0
      R"({"t":"Red"})",              // 1
      R"({"t":["blue","red"]})",     // 2
      R"({"t":"gr\u00f6\u00dfe"})",  // 3: größe
      R"({"t":""})",                 // 4
      R"({"t":12})",                 // 5
  });
  CHECK(rows.ids(Filter::all_of({match_text("t", "red")})) == Ids{0, 2});
  CHECK(rows.ids(Filter::all_of({match_phrase("t", "d r")})) == Ids{0});
  CHECK(rows.ids(Filter::all_of({match_prefix("t", "re")})) == Ids{2});
  CHECK(rows.ids(Filter::all_of({match_text("t", "öß")})) == Ids{3});
  CHECK(rows.ids(Filter::all_of({match_text("t", "")})) == Ids{0, 1, 2, 3, 4});
  CHECK(rows.ids(Filter::all_of({match_text_any("t", " rose\tRed ")})) ==
        Ids{0, 1});
  CHECK(rows.ids(Filter::all_of({match_text_any("t", " ")})) == Ids{});
}

TEST_CASE("times compare by instant, whatever their offset and precision") {
  const FilterRows rows({
      R"({"at":"2024-02-29T23:30:00Z"})",         // 0
      R"({"at":"2024-03-01T00:30:00+01:00"})",    // 1: the same
      R"({"at":"2024-02-29t23:30:00.000001z"})",  // 2
      R"({"at":"2024-03-01"})",                   // 3
      R"({"at":"2023-02-29"})",                   // 4: no such day
      R"({"at":1709249400})",                     // 5
      R"({"at":["soon","2025-01-01 00:00"]})",    // 6
  });
  const auto in = [&](const Bounds<std::string>& bounds) {
    return rows.ids(Filter::all_of({datetime_range("at", bounds)}));
  };
  CHECK(in({.gte = "2024-02-29T23:30:00Z"}) == Ids{0, 1, 2, 3, 6});
  CHECK(in({.gt = "2024-02-29T23:30:00Z"}) == Ids{2, 3, 6});
  CHECK(in({.lte = "2024-02-29T18:30:00-05:00"}) == Ids{0, 1});
  CHECK(in({.lt = "2024-02-29T23:30:00Z"}) == Ids{});
}

TEST_CASE("paths walk into arrays only where they say so") {
  const FilterRows rows({
      R"({"a":[{"b":1},{"b":2}]})",  // 0
      R"({"a":{"b":1}})",            // 1
      R"({"a":[[{"b":1}]]})",        // 2
      R"({"a.b":1})",                // 3
      R"({"a":[{"b":[1,3]}]})",      // 4
  });
  CHECK(rows.ids(Filter::all_of({match("a.b", 1)})) == Ids{1});
  CHECK(rows.ids(Filter::all_of({match("a[].b", 1)})) == Ids{0, 4});
  CHECK(rows.ids(Filter::all_of({match("a[1].b", 2)})) == Ids{0});
  CHECK(rows.ids(Filter::all_of({match("a[0].b", 2)})) == Ids{});
  CHECK(rows.ids(Filter::all_of({match("a[][].b", 1)})) == Ids{2});
  CHECK(rows.ids(Filter::all_of({match("\"a.b\"", 1)})) == Ids{3});
  CHECK(rows.ids(Filter::all_of({values_count("a[].b", {.gte = 2})})) ==
        Ids{4});
}

TEST_CASE("nested asks one object for everything") {
  const FilterRows rows({
      R"({"a":[{"x":1,"y":1},{"x":2,"y":2}]})",  // 0
      R"({"a":[{"x":1,"y":2}]})",                // 1
      R"({"a":{"x":1,"y":2}})",                  // 2: no array
      R"({"a":[1,null,[{"x":1,"y":2}]]})",       // 3
  });
  const Filter both = Filter::all_of({match("x", 1), match("y", 2)});
  CHECK(rows.ids(Filter::all_of({nested("a", both)})) == Ids{1});
  CHECK(rows.ids(Filter::all_of({nested("a[]", both)})) == Ids{1});
  CHECK(rows.ids(Filter::all_of({match("a[].x", 1), match("a[].y", 2)})) ==
        Ids{0, 1});
  CHECK(rows.ids(Filter::all_of({nested("a[2]", both)})) == Ids{3});
  CHECK(rows.ids(Filter::all_of({nested("a", Filter{})})) == Ids{0, 1});
  const Filter own = Filter::all_of({has_id({0, 1, 2, 3})});
  CHECK(rows.ids(Filter::all_of({nested("a", own)})) == Ids{});
  CHECK(rows.ids(Filter::all_of({nested("a", Filter::none_of({own}))})) ==
        Ids{0, 1});
}

TEST_CASE("clauses combine, and empty ones ask nothing") {
  const FilterRows rows({R"({"a":1,"b":1})", R"({"a":1,"b":2})", R"({"c":1})"});
  const Condition a = match("a", 1);
  const Condition b = match("b", 1);
  const Condition c = match("c", 1);
  CHECK(rows.ids(Filter{}) == Ids{0, 1, 2});
  CHECK(rows.ids(Filter::any_of({})) == Ids{0, 1, 2});
  CHECK(rows.ids(Filter::any_of({b, c})) == Ids{0, 2});
  CHECK(rows.ids(Filter::at_least(2, {a, b, c})) == Ids{0});
  CHECK(rows.ids(Filter::at_least(1, {a, b, c})) == Ids{0, 1, 2});
  CHECK(rows.ids(Filter::at_least(4, {a, b, c})) == Ids{});
  CHECK(rows.ids(Filter::at_least(1, {})) == Ids{});
  CHECK(rows.ids(Filter::at_least(1u << 16, {a, b, c})) == Ids{});
  CHECK(rows.ids(Filter::Clauses{
            .must = {a}, .should = {b, c}, .must_not = {c}}) == Ids{0});
  CHECK(rows.ids(Filter::all_of(
            {Filter::any_of({b, c}), Filter::none_of({a})})) == Ids{2});
}

TEST_CASE("ids and predicates choose among what the rest leaves open") {
  const FilterRows rows({R"({"a":1})", R"({"a":1})", R"({"a":2})"});
  CHECK(rows.ids(Filter::all_of({has_id({2, 0, 7, 0})})) == Ids{0, 2});
  CHECK(rows.ids(Filter::none_of({has_id({2})})) == Ids{0, 1});
  std::vector<std::uint64_t> asked;
  const Condition odd = predicate([&](const PointId& id, const Payload&) {
    asked.push_back(id.number());
    return id.number() % 2 == 1;
  });
  CHECK(rows.ids(Filter::all_of({odd, match("a", 1)})) == Ids{1});
  CHECK(asked == Ids{0, 1});
}

}  // namespace
}  // namespace lamina
