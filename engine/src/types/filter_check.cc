#include "types/filter_check.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/limits.h"
#include "types/datetime.h"
#include "types/json_path.h"
#include "types/utf8.h"

namespace lamina {
namespace {

Status bad(std::string message) {
  return Status::invalid_field("filter", std::move(message));
}

bool is_utf8(const where::Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr || is_valid_utf8(*text);
}

// A walk over a whole filter, which ends at the first fault. Recursion is
// bounded by kMaxFilterDepth. A level counts as often as it nests two brackets
// in the JSON form, so that what passes here is no deeper than a parser takes.
class Check {
 public:
  Status status() const { return status_; }

  void filter(const Filter& filter, std::size_t depth) {
    if (filter.empty() || !status_.ok()) return;
    if (depth > kMaxFilterDepth) {
      return fail("is nested deeper than " + std::to_string(kMaxFilterDepth) +
                  " levels");
    }
    const Filter::Clauses& clauses = filter.clauses();
    conditions(clauses.must, depth);
    conditions(clauses.should, depth);
    conditions(clauses.must_not, depth);
    if (!clauses.min_should.has_value()) return;
    if (clauses.min_should->min_count == 0) fail("has a min_count of 0");
    conditions(clauses.min_should->conditions, depth + 1);
  }

 private:
  void fail(std::string message) {
    if (status_.ok()) status_ = bad(std::move(message));
  }

  void conditions(const std::vector<where::Condition>& list,
                  std::size_t depth) {
    condition_count_ += list.size();
    if (condition_count_ > kMaxFilterConditions) {
      return fail("has more than " + std::to_string(kMaxFilterConditions) +
                  " conditions");
    }
    for (const where::Condition& condition : list) {
      if (!status_.ok()) return;
      std::visit([&](const auto& any) { check(any, depth); }, condition.any);
    }
  }

  void check(const Filter& inner, std::size_t depth) {
    filter(inner, depth + 1);
  }
  void check(const where::Nested& nested, std::size_t depth) {
    path(nested.key);
    ++nested_levels_;
    filter(nested.filter, depth + 2);
    --nested_levels_;
  }
  void check(const where::MatchValue& match, std::size_t) {
    path(match.key);
    values({match.value});
  }
  void check(const where::MatchAny& match, std::size_t) {
    path(match.key);
    list(match.values);
  }
  void check(const where::MatchExcept& match, std::size_t) {
    path(match.key);
    list(match.values);
  }
  void check(const where::MatchText& match, std::size_t) {
    path(match.key);
    values({match.text});
  }
  void check(const where::Range& range, std::size_t) {
    path(range.key);
    each_bound(range.bounds, [&](const where::Number& number) {
      const auto* real = std::get_if<double>(&number);
      if (real != nullptr && !std::isfinite(*real)) {
        fail("has a range whose bound is not finite");
      }
    });
  }
  void check(const where::DatetimeRange& range, std::size_t) {
    path(range.key);
    // In JSON, a range without bounds is one of numbers.
    if (range.bounds == where::Bounds<std::string>{}) {
      fail("has a range of times without a bound");
    }
    each_bound(range.bounds, [&](const std::string& text) {
      if (!parse_datetime(text).has_value()) {
        fail("has a datetime that does not follow RFC 3339: \"" +
             std::string(utf8_prefix(text, 64)) + '"');
      }
    });
  }
  void check(const where::ValuesCount& count, std::size_t) { path(count.key); }
  void check(const where::IsEmpty& condition, std::size_t) {
    path(condition.key);
  }
  void check(const where::IsNull& condition, std::size_t) {
    path(condition.key);
  }
  void check(const where::HasId& condition, std::size_t) {
    count_values(condition.ids.size());
  }
  void check(const where::Slice& slice, std::size_t) {
    if (slice.index >= slice.total) {
      fail("has a slice whose index is not below its total");
    }
  }
  void check(const where::Predicate& predicate, std::size_t) {
    if (predicate.function == nullptr || !*predicate.function) {
      fail("has a predicate without a function");
    }
    if (nested_levels_ > 0) fail("has a predicate inside nested");
  }

  void path(std::string_view text) {
    const Result<JsonPath> parsed = JsonPath::parse(text);
    if (!parsed.ok()) fail("holds what is " + parsed.status().message());
    if (!is_valid_utf8(text)) fail("has a path that is not valid UTF-8");
  }

  void values(const std::vector<where::Value>& values) {
    count_values(values.size());
    for (const where::Value& value : values) {
      if (!is_utf8(value)) fail("has a value that is not valid UTF-8");
    }
  }

  // The JSON form has no other lists.
  void list(const std::vector<where::Value>& list) {
    values(list);
    for (const where::Value& value : list) {
      if (std::holds_alternative<bool>(value) ||
          value.index() != list.front().index()) {
        return fail(
            "has a list of values that are neither all strings nor all "
            "integers");
      }
    }
  }

  void count_values(std::size_t count) {
    value_count_ += count;
    if (value_count_ > kMaxFilterValues) {
      fail("has lists of more than " + std::to_string(kMaxFilterValues) +
           " values");
    }
  }

  template <class T, class Each>
  void each_bound(const where::Bounds<T>& bounds, const Each& each) {
    for (const std::optional<T>* bound :
         {&bounds.lt, &bounds.lte, &bounds.gt, &bounds.gte}) {
      if (bound->has_value()) each(**bound);
    }
  }

  Status status_;
  std::size_t condition_count_ = 0;
  std::size_t value_count_ = 0;
  std::size_t nested_levels_ = 0;
};

bool any_has_predicate(const std::vector<where::Condition>& conditions) {
  for (const where::Condition& condition : conditions) {
    if (std::holds_alternative<where::Predicate>(condition.any)) return true;
    const auto* inner = std::get_if<Filter>(&condition.any);
    if (inner != nullptr && has_predicate(*inner)) return true;
    const auto* nested = std::get_if<where::Nested>(&condition.any);
    if (nested != nullptr && has_predicate(nested->filter)) return true;
  }
  return false;
}

}  // namespace

Status validate_filter(const Filter& filter) {
  Check check;
  check.filter(filter, 1);
  return check.status();
}

bool has_predicate(const Filter& filter) {
  if (filter.empty()) return false;
  const Filter::Clauses& clauses = filter.clauses();
  return any_has_predicate(clauses.must) || any_has_predicate(clauses.should) ||
         any_has_predicate(clauses.must_not) ||
         (clauses.min_should.has_value() &&
          any_has_predicate(clauses.min_should->conditions));
}

Status refuse_predicate(const Filter& filter) {
  if (!has_predicate(filter)) return {};
  return bad("holds a predicate, which works in process only");
}

}  // namespace lamina
