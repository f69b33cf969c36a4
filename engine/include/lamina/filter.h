#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lamina/payload.h"
#include "lamina/point_id.h"

namespace lamina {

class Filter;

// The conditions that a filter is made of, and short names to write them with.
// They are those of the JSON form, by the same names.
//
//   using namespace lamina::where;
//   const Filter animals = Filter::all_of(
//       {match("category", "noun.animal"), range("length", {.gte = 30})});
//
// `key` is a path into the payload: keys joined by '.', "[]" for every element
// of an array and "[2]" for one of them, as in "user.name", "authors[].age". A
// key that holds one of . [ ] stands in double quotes. A path names any number
// of values. A condition holds when it holds for one of them; a value that is
// an array stands for its elements. It does not hold where the path names
// nothing, unless its comment says so.
namespace where {

// What match compares with. Types never mix: 5 does not equal 5.0 or "5".
using Value = std::variant<bool, std::int64_t, std::string>;

// A bound of a range. Integers compare by their exact value, with fractions
// too.
using Number = std::variant<std::int64_t, double>;

struct MatchValue {
  std::string key;
  Value value;
  bool operator==(const MatchValue&) const = default;
};

// One of the values, all strings or all integers; with none, no point matches.
struct MatchAny {
  std::string key;
  std::vector<Value> values;
  bool operator==(const MatchAny&) const = default;
};

// A value that is none of these, and not null; of any type.
struct MatchExcept {
  std::string key;
  std::vector<Value> values;
  bool operator==(const MatchExcept&) const = default;
};

// How a text is looked for in a string; always byte for byte.
//   text, phrase  somewhere in it
//   text_any      any word of the text somewhere in it
//   prefix        at its start
enum class TextMode { text, text_any, phrase, prefix };

struct MatchText {
  std::string key;
  TextMode mode = TextMode::text;
  std::string text;
  bool operator==(const MatchText&) const = default;
};

// All bounds that are there must hold.
template <class T>
struct Bounds {
  std::optional<T> gt{};
  std::optional<T> gte{};
  std::optional<T> lt{};
  std::optional<T> lte{};
  bool operator==(const Bounds&) const = default;
};

// Numbers of any kind.
struct Range {
  std::string key;
  Bounds<Number> bounds;
  bool operator==(const Range&) const = default;
};

// Strings that are a time by RFC 3339, "2024-05-01T12:00:00Z", or a date. Read
// to the microsecond; without an offset they are in UTC.
struct DatetimeRange {
  std::string key;
  Bounds<std::string> bounds;
  bool operator==(const DatetimeRange&) const = default;
};

// How many elements a value has: 0 for null, 1 for what is no array. A path
// that names nothing counts as 0.
struct ValuesCount {
  std::string key;
  Bounds<std::uint64_t> bounds;
  bool operator==(const ValuesCount&) const = default;
};

// Whether all the path names is null or [], or it names nothing.
struct IsEmpty {
  std::string key;
  bool expected = true;
  bool operator==(const IsEmpty&) const = default;
};

// Whether the path names a null.
struct IsNull {
  std::string key;
  bool expected = true;
  bool operator==(const IsNull&) const = default;
};

struct HasId {
  std::vector<PointId> ids;
  bool operator==(const HasId&) const = default;
};

// One of `total` parts that split all ids evenly: the same in every process,
// and on every server of the protocol.
struct Slice {
  std::uint64_t total = 1;
  std::uint64_t index = 0;  // Below total.
  bool operator==(const Slice&) const = default;
};

// Any rule at all, in process only. Called for each point that the conditions
// before it leave open; a writer waits meanwhile, so it must not call the
// collection. Two are equal when they are copies of one.
struct Predicate {
  using Function = std::function<bool(const PointId&, const Payload&)>;
  std::shared_ptr<const Function> function;
  bool operator==(const Predicate&) const = default;
};

struct Nested;
struct Condition;

}  // namespace where

// Which points an operation is about. Without conditions: all of them.
//
// Copying is cheap: copies share one immutable tree. A filter is checked where
// it is used: at most kMaxFilterConditions conditions, nested no deeper than
// kMaxFilterDepth, and every path and time well formed.
// Thread safety: a value; distinct objects are independent.
class Filter {
 public:
  struct Clauses;

  Filter() = default;
  Filter(Clauses clauses);  // NOLINT: implicit

  static Filter all_of(std::vector<where::Condition> conditions);
  // Without conditions: no constraint, as in the JSON form.
  static Filter any_of(std::vector<where::Condition> conditions);
  static Filter none_of(std::vector<where::Condition> conditions);
  // At least `min_count` of them.
  static Filter at_least(std::uint64_t min_count,
                         std::vector<where::Condition> conditions);

  // Whether it lets everything pass because nothing is asked.
  bool empty() const { return clauses_ == nullptr; }

  const Clauses& clauses() const;

  bool operator==(const Filter& other) const;

 private:
  std::shared_ptr<const Clauses> clauses_;  // Null stands for no conditions.
};

namespace where {

// For one object in the array at `key` the whole filter holds; its paths start
// at that object. has_id and slice are false inside, and a predicate may not
// stand there.
struct Nested {
  std::string key;
  Filter filter;
  bool operator==(const Nested&) const = default;
};

// Any of the above, or a whole filter.
struct Condition {
  using Any = std::variant<MatchValue, MatchAny, MatchExcept, MatchText, Range,
                           DatetimeRange, ValuesCount, IsEmpty, IsNull, HasId,
                           Slice, Predicate, Nested, Filter>;

  template <class T>
  requires std::is_constructible_v<Any, T> Condition(T condition)
      : any(std::move(condition)) {}  // NOLINT: implicit

  Any any;
  bool operator==(const Condition&) const = default;
};

}  // namespace where

// All of it must hold.
struct Filter::Clauses {
  struct MinShould {
    std::uint64_t min_count = 1;  // At least 1.
    std::vector<where::Condition> conditions{};
    bool operator==(const MinShould&) const = default;
  };

  std::vector<where::Condition> must{};
  // One of them, unless there are none.
  std::vector<where::Condition> should{};
  // None of them.
  std::vector<where::Condition> must_not{};
  std::optional<MinShould> min_should{};
  bool operator==(const Clauses&) const = default;
};

namespace where {

Condition match(std::string key, Value value);
Condition match_any(std::string key, std::vector<Value> values);
Condition match_except(std::string key, std::vector<Value> values);
Condition match_text(std::string key, std::string text);
Condition match_text_any(std::string key, std::string words);
Condition match_phrase(std::string key, std::string phrase);
Condition match_prefix(std::string key, std::string prefix);
Condition range(std::string key, Bounds<Number> bounds);
Condition datetime_range(std::string key, Bounds<std::string> bounds);
Condition values_count(std::string key, Bounds<std::uint64_t> bounds);
Condition is_empty(std::string key, bool expected = true);
Condition is_null(std::string key, bool expected = true);
Condition has_id(std::vector<PointId> ids);
Condition slice(std::uint64_t index, std::uint64_t total);
Condition nested(std::string key, Filter filter);
Condition predicate(Predicate::Function function);

}  // namespace where
}  // namespace lamina
