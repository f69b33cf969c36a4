#include "engine/filter/naive_filter.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>

namespace lamina::test {
namespace {

using Kind = JsonTree::Kind;
using Values = std::vector<const JsonTree*>;
using Predicate = std::function<bool(const JsonTree&)>;

// Both an int64 and a double fit without rounding.
using Exact = long double;
static_assert(__LDBL_MANT_DIG__ >= 64);

Exact exact(const where::Number& number) {
  return std::visit([](auto value) { return static_cast<Exact>(value); },
                    number);
}

std::optional<Exact> number_of(const JsonTree& value) {
  if (value.is(Kind::integer)) return static_cast<Exact>(value.integer);
  if (value.is(Kind::real)) return static_cast<Exact>(value.real);
  return std::nullopt;
}

bool equals(const JsonTree& value, const where::Value& wanted) {
  if (const auto* flag = std::get_if<bool>(&wanted)) {
    return value.is(Kind::boolean) && value.boolean == *flag;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&wanted)) {
    return value.is(Kind::integer) && value.integer == *integer;
  }
  return value.is(Kind::string) && value.text == std::get<std::string>(wanted);
}

bool is_among(const JsonTree& value, const std::vector<where::Value>& values) {
  return std::any_of(values.begin(), values.end(),
                     [&](const auto& wanted) { return equals(value, wanted); });
}

template <class T, class Bound, class Convert>
bool in_bounds(const T& value, const where::Bounds<Bound>& bounds,
               const Convert& convert) {
  if (bounds.lt && !(value < convert(*bounds.lt))) return false;
  if (bounds.lte && !(value <= convert(*bounds.lte))) return false;
  if (bounds.gt && !(value > convert(*bounds.gt))) return false;
  if (bounds.gte && !(value >= convert(*bounds.gte))) return false;
  return true;
}

// The few spellings of a time that the tests make up, as seconds in UTC.
std::optional<long long> seconds_of(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, east = 0;
  char zone[8] = "";
  const int count =
      std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%7s", &year, &month,
                  &day, &hour, &minute, &second, zone);
  if (count != 3 && count != 7) return std::nullopt;
  if (count == 7 && zone[0] != 'Z') std::sscanf(zone, "%d", &east);
  // Days by counting: the tests stay within a few years.
  static constexpr int kBeforeMonth[] = {0,   31,  59,  90,  120, 151,
                                         181, 212, 243, 273, 304, 334};
  const bool leap = year % 4 == 0;
  long long days = year * 365LL + (year + 3) / 4 + kBeforeMonth[month - 1] +
                   day + (leap && month > 2 ? 1 : 0);
  return ((days * 24 + hour - east) * 60 + minute) * 60 + second;
}

// Elements of a value, which is its own only element when it is no array.
bool any_element(const Values& values, const Predicate& holds) {
  for (const JsonTree* value : values) {
    if (!value->is(Kind::array)) {
      if (holds(*value)) return true;
      continue;
    }
    for (const JsonTree& element : value->elements) {
      if (holds(element)) return true;
    }
  }
  return false;
}

bool holds_text(const std::string& value, const where::MatchText& match) {
  const auto has = [&](const std::string& part) {
    return value.find(part) != std::string::npos;
  };
  switch (match.mode) {
    case where::TextMode::text:
    case where::TextMode::phrase:
      return has(match.text);
    case where::TextMode::prefix:
      return value.substr(0, match.text.size()) == match.text;
    case where::TextMode::text_any:
      break;
  }
  std::istringstream words(match.text);
  std::string word;
  while (words >> word) {
    if (has(word)) return true;
  }
  return false;
}

std::uint64_t count_of(const JsonTree& value) {
  if (value.is(Kind::null)) return 0;
  return value.is(Kind::array) ? value.elements.size() : 1;
}

// SipHash is tested by its own vectors; here only that slices are disjoint and
// complete, so the random filters leave them out.
struct Evaluate {
  const PointId* id;
  const JsonTree& payload;
  const KnownPaths& paths;

  Values at(const std::string& key) const {
    return values_at(payload, paths.at(key));
  }

  bool operator()(const where::MatchValue& match) const {
    return any_element(at(match.key), [&](const JsonTree& value) {
      return equals(value, match.value);
    });
  }
  bool operator()(const where::MatchAny& match) const {
    return any_element(at(match.key), [&](const JsonTree& value) {
      return is_among(value, match.values);
    });
  }
  bool operator()(const where::MatchExcept& match) const {
    return any_element(at(match.key), [&](const JsonTree& value) {
      return !value.is(Kind::null) && !is_among(value, match.values);
    });
  }
  bool operator()(const where::MatchText& match) const {
    return any_element(at(match.key), [&](const JsonTree& value) {
      return value.is(Kind::string) && holds_text(value.text, match);
    });
  }
  bool operator()(const where::Range& range) const {
    return any_element(at(range.key), [&](const JsonTree& value) {
      const std::optional<Exact> number = number_of(value);
      return number && in_bounds(*number, range.bounds, exact);
    });
  }
  bool operator()(const where::DatetimeRange& range) const {
    return any_element(at(range.key), [&](const JsonTree& value) {
      if (!value.is(Kind::string)) return false;
      const auto time = seconds_of(value.text);
      return time && in_bounds(*time, range.bounds, [](const auto& text) {
               return seconds_of(text).value();
             });
    });
  }
  bool operator()(const where::ValuesCount& count) const {
    const auto holds = [&](std::uint64_t number) {
      return in_bounds(number, count.bounds, [](auto bound) { return bound; });
    };
    const Values values = at(count.key);
    if (values.empty()) return holds(0);
    return std::any_of(values.begin(), values.end(), [&](const auto* value) {
      return holds(count_of(*value));
    });
  }
  bool operator()(const where::IsEmpty& condition) const {
    const Values values = at(condition.key);
    const bool empty =
        std::all_of(values.begin(), values.end(),
                    [](const auto* value) { return count_of(*value) == 0; });
    return empty == condition.expected;
  }
  bool operator()(const where::IsNull& condition) const {
    const bool null = any_element(at(condition.key), [](const JsonTree& value) {
      return value.is(Kind::null);
    });
    return null == condition.expected;
  }
  bool operator()(const where::HasId& condition) const {
    return id != nullptr &&
           std::count(condition.ids.begin(), condition.ids.end(), *id) > 0;
  }
  bool operator()(const where::Slice&) const { return false; }
  bool operator()(const where::Predicate& predicate) const {
    return (*predicate.function)(*id,
                                 Payload::from_json(to_text(payload)).value());
  }
  bool operator()(const where::Nested& nested) const {
    TreePath path = paths.at(nested.key);
    if (path.back().kind != TreeStep::Kind::every_element) {
      path.push_back({.kind = TreeStep::Kind::every_element});
    }
    for (const JsonTree* value : values_at(payload, path)) {
      if (value->is(Kind::object) &&
          naive_matches(nested.filter, nullptr, *value, paths)) {
        return true;
      }
    }
    return false;
  }
  bool operator()(const Filter& filter) const {
    return naive_matches(filter, id, payload, paths);
  }
};

}  // namespace

bool naive_matches(const Filter& filter, const PointId* id,
                   const JsonTree& payload, const KnownPaths& paths) {
  const auto count = [&](const std::vector<where::Condition>& conditions) {
    std::size_t holding = 0;
    for (const where::Condition& condition : conditions) {
      if (std::visit(Evaluate{id, payload, paths}, condition.any)) ++holding;
    }
    return holding;
  };
  const Filter::Clauses& clauses = filter.clauses();
  if (count(clauses.must) != clauses.must.size()) return false;
  if (count(clauses.must_not) != 0) return false;
  if (!clauses.should.empty() && count(clauses.should) == 0) return false;
  return !clauses.min_should ||
         count(clauses.min_should->conditions) >= clauses.min_should->min_count;
}

}  // namespace lamina::test
