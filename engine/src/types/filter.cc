#include "lamina/filter.h"

#include <utility>

namespace lamina {

namespace {

bool asks_nothing(const Filter::Clauses& clauses) {
  return clauses == Filter::Clauses{};
}

}  // namespace

Filter::Filter(Clauses clauses) {
  if (asks_nothing(clauses)) return;
  clauses_ = std::make_shared<const Clauses>(std::move(clauses));
}

Filter Filter::all_of(std::vector<where::Condition> conditions) {
  return Clauses{.must = std::move(conditions)};
}

Filter Filter::any_of(std::vector<where::Condition> conditions) {
  return Clauses{.should = std::move(conditions)};
}

Filter Filter::none_of(std::vector<where::Condition> conditions) {
  return Clauses{.must_not = std::move(conditions)};
}

Filter Filter::at_least(std::uint64_t min_count,
                        std::vector<where::Condition> conditions) {
  return Clauses{.min_should =
                     Clauses::MinShould{min_count, std::move(conditions)}};
}

const Filter::Clauses& Filter::clauses() const {
  static const Clauses none;
  return clauses_ == nullptr ? none : *clauses_;
}

bool Filter::operator==(const Filter& other) const {
  return clauses_ == other.clauses_ || clauses() == other.clauses();
}

namespace where {

Condition match(std::string key, Value value) {
  return MatchValue{std::move(key), std::move(value)};
}

Condition match_any(std::string key, std::vector<Value> values) {
  return MatchAny{std::move(key), std::move(values)};
}

Condition match_except(std::string key, std::vector<Value> values) {
  return MatchExcept{std::move(key), std::move(values)};
}

Condition match_text(std::string key, std::string text) {
  return MatchText{std::move(key), TextMode::text, std::move(text)};
}

Condition match_text_any(std::string key, std::string words) {
  return MatchText{std::move(key), TextMode::text_any, std::move(words)};
}

Condition match_phrase(std::string key, std::string phrase) {
  return MatchText{std::move(key), TextMode::phrase, std::move(phrase)};
}

Condition match_prefix(std::string key, std::string prefix) {
  return MatchText{std::move(key), TextMode::prefix, std::move(prefix)};
}

Condition range(std::string key, Bounds<Number> bounds) {
  return Range{std::move(key), bounds};
}

Condition datetime_range(std::string key, Bounds<std::string> bounds) {
  return DatetimeRange{std::move(key), std::move(bounds)};
}

Condition values_count(std::string key, Bounds<std::uint64_t> bounds) {
  return ValuesCount{std::move(key), bounds};
}

Condition is_empty(std::string key, bool expected) {
  return IsEmpty{std::move(key), expected};
}

Condition is_null(std::string key, bool expected) {
  return IsNull{std::move(key), expected};
}

Condition has_id(std::vector<PointId> ids) { return HasId{std::move(ids)}; }

Condition slice(std::uint64_t index, std::uint64_t total) {
  return Slice{total, index};
}

Condition nested(std::string key, Filter filter) {
  return Nested{std::move(key), std::move(filter)};
}

Condition predicate(Predicate::Function function) {
  return Predicate{
      std::make_shared<const Predicate::Function>(std::move(function))};
}

}  // namespace where
}  // namespace lamina
