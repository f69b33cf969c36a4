#include "lamina/filter.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "lamina/limits.h"
#include "types/filter_check.h"
#include "types/filter_number.h"

namespace lamina {
namespace {

using namespace where;

TEST_CASE("a filter without conditions is empty, whichever way it was made") {
  CHECK(Filter().empty());
  CHECK(Filter::all_of({}).empty());
  CHECK(Filter::any_of({}).empty());
  CHECK(Filter(Filter::Clauses{}) == Filter());
  CHECK(Filter().clauses().must.empty());
  CHECK_FALSE(Filter::all_of({Filter()}).empty());
  CHECK_FALSE(Filter::at_least(1, {}).empty());
}

TEST_CASE("filters are equal when they ask the same in the same order") {
  const Filter one = Filter::all_of({match("a", 1), range("b", {.gt = 2})});
  CHECK(one == Filter::all_of({match("a", 1), range("b", {.gt = 2})}));
  CHECK(one != Filter::all_of({range("b", {.gt = 2}), match("a", 1)}));
  CHECK(one != Filter::all_of({match("a", 1), range("b", {.gt = 2.0})}));
  CHECK(one != Filter());
  const Condition odd =
      predicate([](const auto&, const auto&) { return true; });
  const Condition other =
      predicate([](const auto&, const auto&) { return true; });
  CHECK(odd == Condition(odd));
  CHECK(odd != other);
}

TEST_CASE("what a filter may not hold is refused") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<Condition> bad = {
      match("", 1),
      match("a..b", 1),
      match("a", "\xff"),
      match("\xff", 1),
      match_any("a", {"x", "\xff"}),
      match_any("a", {1, "x"}),
      match_except("a", {true}),
      match_text("a", "\xff"),
      range("a", {.gt = kNan}),
      range("a", {.lte = kInfinity}),
      datetime_range("a", {}),
      datetime_range("a", {.gt = "yesterday"}),
      slice(2, 2),
      slice(0, 0),
      Filter::at_least(0, {}),
      predicate(nullptr),
      Predicate{},
      nested("a", Filter::all_of({predicate(
                      [](const auto&, const auto&) { return true; })})),
      nested("", Filter{}),
      nested("a", Filter::all_of({match("", 1)}))};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    CAPTURE(i);
    for (const Filter& filter :
         {Filter::all_of({bad[i]}), Filter::none_of({bad[i]}),
          Filter::any_of({match("a", 1), Filter::at_least(1, {bad[i]})})}) {
      const Status refused = validate_filter(filter);
      CHECK(refused.code() == StatusCode::invalid_argument);
      CHECK(refused.field() == "filter");
    }
  }
  CHECK(validate_filter(Filter()).ok());
}

TEST_CASE("a predicate is found wherever it stands") {
  const Condition odd =
      predicate([](const auto&, const auto&) { return true; });
  CHECK(has_predicate(Filter::all_of({match("a", 1), odd})));
  CHECK(has_predicate(Filter::any_of({Filter::none_of({odd})})));
  CHECK(
      has_predicate(Filter::at_least(1, {nested("a", Filter::all_of({odd}))})));
  CHECK_FALSE(has_predicate(Filter::all_of({match("a", 1), Filter{}})));
}

TEST_CASE("a number is an integer when it is written as one and fits") {
  CHECK(read_json_number("9223372036854775807") ==
        Number(std::numeric_limits<std::int64_t>::max()));
  CHECK(read_json_number("-9223372036854775808") ==
        Number(std::numeric_limits<std::int64_t>::min()));
  CHECK(read_json_number("9223372036854775808") == Number(0x1p63));
  CHECK(read_json_number("5.0") == Number(5.0));
  CHECK(read_json_number("5e0") == Number(5.0));
  CHECK(read_json_number("-0") == Number(std::int64_t{0}));
  CHECK(read_json_number("1e-400") == Number(0.0));
  CHECK(read_json_number("5e-324") == Number(5e-324));
}

TEST_CASE("an integer and a double compare by exact value") {
  constexpr std::int64_t kTwoTo53 = std::int64_t{1} << 53;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  CHECK(compare(kTwoTo53, 0x1p53) == 0);
  CHECK(compare(kTwoTo53 + 1, 0x1p53) > 0);
  CHECK(compare(kMost, 0x1p63) < 0);
  CHECK(compare(kLeast, -0x1p63) == 0);
  CHECK(compare(kLeast, -0x1.0000000000001p63) > 0);
  CHECK(compare(0, -0.0) == 0);
  CHECK(compare(0, 0.5) < 0);
  CHECK(compare(0, -0.5) > 0);
  CHECK(compare(-3, -2.5) < 0);
  CHECK(compare(-2, -2.5) > 0);
  CHECK(compare(Number(2.5), Number(std::int64_t{2})) > 0);
  CHECK(compare(Number(std::int64_t{3}), Number(std::int64_t{2})) > 0);
}

}  // namespace
}  // namespace lamina
