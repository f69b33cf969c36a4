#include "filter/cell_test.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "types/datetime.h"
#include "types/filter_number.h"

namespace lamina::filter {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

template <class Test>
constexpr bool kTestsWholeCell =
    std::is_same_v<Test, CountRange> || std::is_same_v<Test, Empty> ||
    std::is_same_v<Test, Null>;

template <class Test>
bool value_holds(const Test& test, const Cell& value) {
  if (value.kind != CellKind::list) return test(value);
  const auto elements = value.elements();
  return std::any_of(elements.begin(), elements.end(), test);
}

template <class Test>
bool cell_holds(const Test& test, const Cell& cell) {
  if constexpr (kTestsWholeCell<Test>) {
    return test(cell);
  } else {
    if (cell.kind == CellKind::missing) return false;
    if (cell.kind != CellKind::many) return value_holds(test, cell);
    const auto values = cell.elements();
    return std::any_of(values.begin(), values.end(), [&](const Cell& value) {
      return value_holds(test, value);
    });
  }
}

// The values of a cell: none, one, or those of a path with "[]".
std::span<const Cell> values_of(const Cell& cell) {
  if (cell.kind == CellKind::missing) return {};
  if (cell.kind == CellKind::many) return cell.elements();
  return {&cell, 1};
}

bool is_null(const Cell& cell) { return cell.kind == CellKind::null; }

std::uint64_t element_count(const Cell& value) {
  if (value.kind == CellKind::list) return value.size;
  return is_null(value) ? 0 : 1;
}

template <class T, class Compare>
bool within(const T& value, const where::Bounds<T>& bounds,
            const Compare& order) {
  return (!bounds.lt || order(value, *bounds.lt) < 0) &&
         (!bounds.lte || order(value, *bounds.lte) <= 0) &&
         (!bounds.gt || order(value, *bounds.gt) > 0) &&
         (!bounds.gte || order(value, *bounds.gte) >= 0);
}

// The least integer that is at least, or more than, `bound`; nothing when none
// is.
std::optional<std::int64_t> least_integer(const where::Number& bound,
                                          bool or_equal) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  std::int64_t integer = 0;
  if (const auto* real = std::get_if<double>(&bound)) {
    if (*real >= kTwoTo63) return std::nullopt;
    if (*real < -kTwoTo63) return kLeast;
    integer = static_cast<std::int64_t>(*real);  // Towards zero.
  } else {
    integer = std::get<std::int64_t>(bound);
  }
  const auto order = compare(where::Number(integer), bound);
  if (order > 0 || (order == 0 && or_equal)) return integer;
  if (integer == kMost) return std::nullopt;
  return integer + 1;
}

// The mirror image of it, for upper bounds.
std::optional<std::int64_t> most_integer(const where::Number& bound,
                                         bool or_equal) {
  const std::optional<std::int64_t> above = least_integer(bound, !or_equal);
  if (!above.has_value()) return kMost;
  if (*above == kLeast) return std::nullopt;
  return *above - 1;
}

NumberRange number_range(const where::Bounds<where::Number>& bounds) {
  NumberRange range{.bounds = bounds, .least = kLeast, .most = kMost};
  bool empty = false;
  const auto at_least = [&](std::optional<std::int64_t> value) {
    empty = empty || !value.has_value();
    range.least = std::max(range.least, value.value_or(kMost));
  };
  const auto at_most = [&](std::optional<std::int64_t> value) {
    empty = empty || !value.has_value();
    range.most = std::min(range.most, value.value_or(kLeast));
  };
  if (bounds.gt) at_least(least_integer(*bounds.gt, false));
  if (bounds.gte) at_least(least_integer(*bounds.gte, true));
  if (bounds.lt) at_most(most_integer(*bounds.lt, false));
  if (bounds.lte) at_most(most_integer(*bounds.lte, true));
  if (empty) {
    range.least = kMost;
    range.most = kLeast;
  }
  return range;
}

// Times are within the years 0 to 9999, so one microsecond more or less is
// within range.
TimeRange time_range(const where::Bounds<std::string>& bounds) {
  TimeRange range{.least = kLeast, .most = kMost};
  const auto micros = [](const std::string& text) {
    return parse_datetime(text).value_or(0);
  };
  if (bounds.gt) range.least = std::max(range.least, micros(*bounds.gt) + 1);
  if (bounds.gte) range.least = std::max(range.least, micros(*bounds.gte));
  if (bounds.lt) range.most = std::min(range.most, micros(*bounds.lt) - 1);
  if (bounds.lte) range.most = std::min(range.most, micros(*bounds.lte));
  return range;
}

OneOf one_of(const std::vector<where::Value>& values, bool among) {
  constexpr std::size_t kFew = 16;
  OneOf test{.among = among, .values = {}, .hashed = {}};
  for (const where::Value& value : values) {
    test.values.push_back(cell_of(value));
  }
  if (values.size() > kFew) {
    test.hashed.insert(test.values.begin(), test.values.end());
  }
  return test;
}

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kWhiteSpace);
    if (begin == text.npos) return words;
    const std::size_t end = text.find_first_of(kWhiteSpace, begin);
    words.push_back(text.substr(begin, end - begin));
    if (end == text.npos) return words;
    text.remove_prefix(end);
  }
}

HoldsText holds_text(const where::MatchText& condition) {
  return {.mode = condition.mode,
          .text = condition.text,
          .words = split_words(condition.text)};
}

}  // namespace

bool Equals::operator()(const Cell& element) const {
  return CellEqual()(element, wanted);
}

bool OneOf::operator()(const Cell& element) const {
  const auto is_element = [&](const Cell& value) {
    return CellEqual()(value, element);
  };
  const bool found = hashed.empty()
                         ? std::any_of(values.begin(), values.end(), is_element)
                         : hashed.contains(element);
  return among ? found : !found && !is_null(element);
}

bool HoldsText::operator()(const Cell& element) const {
  if (element.kind != CellKind::string) return false;
  const std::string_view value = element.text();
  switch (mode) {
    case where::TextMode::text:
    case where::TextMode::phrase:
      return value.find(text) != value.npos;
    case where::TextMode::text_any:
      return std::any_of(words.begin(), words.end(),
                         [&](std::string_view word) {
                           return value.find(word) != value.npos;
                         });
    case where::TextMode::prefix:
      break;
  }
  return value.starts_with(text);
}

bool NumberRange::operator()(const Cell& element) const {
  if (element.kind == CellKind::integer) {
    return least <= element.integer && element.integer <= most;
  }
  return element.kind == CellKind::real &&
         within<where::Number>(
             element.real, bounds,
             [](const auto& a, const auto& b) { return compare(a, b); });
}

bool TimeRange::operator()(const Cell& element) const {
  return element.is_time && least <= element.micros && element.micros <= most;
}

bool CountRange::operator()(const Cell& cell) const {
  const auto in_range = [&](std::uint64_t count) {
    return within(count, bounds, [](auto a, auto b) { return a <=> b; });
  };
  if (cell.kind == CellKind::missing) return in_range(0);
  const auto values = values_of(cell);
  return std::any_of(values.begin(), values.end(), [&](const Cell& value) {
    return in_range(element_count(value));
  });
}

bool Empty::operator()(const Cell& cell) const {
  const auto values = values_of(cell);
  return expected ==
         std::all_of(values.begin(), values.end(), [](const Cell& value) {
           return element_count(value) == 0;
         });
}

bool Null::operator()(const Cell& cell) const {
  const auto values = values_of(cell);
  return expected ==
         std::any_of(values.begin(), values.end(), [](const Cell& value) {
           return value_holds(is_null, value);
         });
}

CellTest::CellTest(const where::MatchValue& condition)
    : any_(Equals{cell_of(condition.value)}) {}
CellTest::CellTest(const where::MatchAny& condition)
    : any_(one_of(condition.values, true)) {}
CellTest::CellTest(const where::MatchExcept& condition)
    : any_(one_of(condition.values, false)) {}
CellTest::CellTest(const where::MatchText& condition)
    : any_(holds_text(condition)) {}
CellTest::CellTest(const where::Range& condition)
    : any_(number_range(condition.bounds)) {}
CellTest::CellTest(const where::DatetimeRange& condition)
    : any_(time_range(condition.bounds)) {}
CellTest::CellTest(const where::ValuesCount& condition)
    : any_(CountRange{condition.bounds}) {}
CellTest::CellTest(const where::IsEmpty& condition)
    : any_(Empty{condition.expected}) {}
CellTest::CellTest(const where::IsNull& condition)
    : any_(Null{condition.expected}) {}

bool CellTest::holds(const Cell& cell) const {
  return std::visit([&](const auto& test) { return cell_holds(test, cell); },
                    any_);
}

void CellTest::hold(std::span<const Cell> cells, std::uint8_t* holds) const {
  std::visit(
      [&](const auto& test) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
          holds[i] = cell_holds(test, cells[i]) ? 1 : 0;
        }
      },
      any_);
}

}  // namespace lamina::filter
