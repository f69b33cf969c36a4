#include "engine/filter/random_filters.h"

#include <limits>

namespace lamina::test {
namespace {

using Kind = JsonTree::Kind;
using namespace where;

const std::vector<std::string> kKeys = {"a", "b", "c", "schlüssel", "x.y"};

const std::vector<std::string> kStrings = {
    "red",        "green",
    "",           "NaN",
    "nan",        "Infinity",
    "1",          "5.0",
    "null",       "true",
    "größe",      "日本語",
    "a red rose", "re",
    "\"quoted\"", "67e55044-10b1-426f-9247-bb680e5fe0c8"};

const std::vector<std::string> kParts = {"re", "rose zz", "zz  gre\tNa",
                                         "  ", "本",      "05-10b"};

const std::vector<std::string> kTimes = {
    "2024-02-29", "2024-02-29T00:00:00Z", "2024-02-29T02:00:00+02:00",
    "2023-12-31T23:59:59Z", "2024-03-01T00:00:00-01:00"};

const std::vector<std::int64_t> kIntegers = {
    0,
    1,
    -1,
    5,
    (std::int64_t{1} << 53) - 1,
    std::int64_t{1} << 53,
    (std::int64_t{1} << 53) + 1,
    std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::int64_t>::max() - 1,
    std::numeric_limits<std::int64_t>::min()};

struct Real {
  const char* text;
  double value;
};
const std::vector<Real> kReals = {{"5.0", 5.0},
                                  {"0.5", 0.5},
                                  {"-0.0", -0.0},
                                  {"-0.5", -0.5},
                                  {"1e300", 1e300},
                                  {"-1E+300", -1e300},
                                  {"9007199254740992.0", 9007199254740992.0},
                                  {"9223372036854775808", 0x1p63},
                                  {"-9223372036854775809", -0x1p63},
                                  {"18446744073709551615", 0x1p64},
                                  {"1e-400", 0.0}};

}  // namespace

PointId RandomFilters::id() {
  if (chance(80)) return below(40);
  PointId::UuidBytes bytes{};
  bytes[15] = static_cast<std::uint8_t>(below(10));
  return PointId::from_uuid(bytes);
}

JsonTree RandomFilters::number() {
  if (chance(60)) {
    const std::int64_t value = one_of(kIntegers);
    return {
        .kind = Kind::integer, .integer = value, .text = std::to_string(value)};
  }
  const Real& real = one_of(kReals);
  return {.kind = Kind::real, .real = real.value, .text = real.text};
}

JsonTree RandomFilters::value(std::size_t depth) {
  switch (below(depth == 0 ? 5 : 8)) {
    case 0:
      return {};
    case 1:
      return {.kind = Kind::boolean, .boolean = chance(50)};
    case 2:
      return number();
    case 3:
      return {.kind = Kind::string, .text = text()};
    case 4:
      return {.kind = Kind::string, .text = time()};
    case 5:
      return object(depth - 1);
    default:
      break;
  }
  JsonTree array{.kind = Kind::array};
  const bool of_objects = chance(40);
  for (std::size_t left = below(4); left > 0; --left) {
    array.elements.push_back(of_objects ? object(depth - 1) : value(depth - 1));
  }
  return array;
}

JsonTree RandomFilters::object(std::size_t depth) {
  JsonTree tree{.kind = Kind::object};
  for (const std::string& key : kKeys) {
    if (chance(55)) tree.members.emplace_back(key, value(depth));
  }
  return tree;
}

std::string RandomFilters::text() { return one_of(kStrings); }
std::string RandomFilters::time() { return one_of(kTimes); }

std::string RandomFilters::path() {
  TreePath path;
  do {
    path.push_back({.key = one_of(kKeys)});
    while (chance(25)) {
      if (chance(70)) {
        path.push_back({.kind = TreeStep::Kind::every_element});
      } else {
        path.push_back({.kind = TreeStep::Kind::element, .index = below(3)});
      }
    }
  } while (chance(25));
  const std::string text = to_text(path);
  paths_[text] = path;
  return text;
}

std::vector<Value> RandomFilters::list() {
  std::vector<Value> list;
  const bool of_strings = chance(50);
  for (std::size_t left = below(4); left > 0; --left) {
    if (of_strings) {
      list.emplace_back(text());
    } else {
      list.emplace_back(one_of(kIntegers));
    }
  }
  return list;
}

Number RandomFilters::bound() {
  if (chance(50)) return one_of(kIntegers);
  return one_of(kReals).value;
}

Bounds<Number> RandomFilters::bounds() {
  Bounds<Number> bounds;
  if (chance(40)) bounds.lt = bound();
  if (chance(20)) bounds.lte = bound();
  if (chance(20)) bounds.gt = bound();
  if (chance(40)) bounds.gte = bound();
  return bounds;
}

Condition RandomFilters::field_condition() {
  const std::string key = path();
  switch (below(11)) {
    case 0:
      return match(key, text());
    case 1:
      return match(key, one_of(kIntegers));
    case 2:
      return match(key, chance(50));
    case 3:
      return match_any(key, list());
    case 4:
      return match_except(key, list());
    case 5:
      return MatchText{key, static_cast<TextMode>(below(4)),
                       chance(60) ? text() : one_of(kParts)};
    case 6:
      return range(key, bounds());
    case 7:
      return chance(50) ? datetime_range(key, {.gte = time()})
                        : datetime_range(key, {.gt = time(), .lt = time()});
    case 8:
      return values_count(key, {.gte = below(3), .lt = below(4)});
    case 9:
      return is_empty(key, chance(60));
    default:
      break;
  }
  return is_null(key, chance(60));
}

Condition RandomFilters::condition(std::size_t depth, bool in_nested) {
  const std::size_t kind = below(depth == 0 ? 10 : 13);
  if (kind < 9) return field_condition();
  if (kind == 9) {
    std::vector<PointId> ids(below(5));
    for (PointId& one : ids) one = id();
    return has_id(std::move(ids));
  }
  if (kind == 10) return filter(depth - 1, in_nested);
  if (kind == 11 || in_nested) return nested(path(), filter(depth - 1, true));
  return predicate([](const PointId& id, const Payload& payload) {
    return (id.hash() + payload.json().size()) % 2 == 0;
  });
}

std::vector<Condition> RandomFilters::conditions(std::size_t depth,
                                                 bool in_nested) {
  std::vector<Condition> list;
  for (std::size_t left = below(3); left > 0; --left) {
    list.push_back(condition(depth, in_nested));
  }
  return list;
}

Filter RandomFilters::filter(std::size_t depth, bool in_nested) {
  Filter::Clauses clauses;
  if (chance(60)) clauses.must = conditions(depth, in_nested);
  if (chance(40)) clauses.should = conditions(depth, in_nested);
  if (chance(30)) clauses.must_not = conditions(depth, in_nested);
  if (chance(15)) {
    clauses.min_should = {1 + below(2), conditions(depth, in_nested)};
  }
  return clauses;
}

}  // namespace lamina::test
