#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "filter/cell.h"
#include "lamina/filter.h"

namespace lamina::filter {

// Tests of one element. Text stays with the condition they were made from.
struct Equals {
  Cell wanted;
  bool operator()(const Cell& element) const;
};

struct OneOf {
  // Whether an element must be one of the values, or none of them and not null.
  bool among = true;
  std::vector<Cell> values;
  // The values once more, when there are so many that hashing pays.
  std::unordered_set<Cell, CellHash, CellEqual> hashed;
  bool operator()(const Cell& element) const;
};

struct HoldsText {
  where::TextMode mode = where::TextMode::text;
  std::string_view text;
  std::vector<std::string_view> words;  // Of text_any.
  bool operator()(const Cell& element) const;
};

// A range of numbers, exact for integers and doubles alike: among integers it
// is [least, most], which is empty when least > most.
struct NumberRange {
  where::Bounds<where::Number> bounds;
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool operator()(const Cell& element) const;
};

struct TimeRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool operator()(const Cell& element) const;
};

// Tests of a whole cell.
struct CountRange {
  where::Bounds<std::uint64_t> bounds;
  bool operator()(const Cell& cell) const;
};

struct Empty {
  bool expected = true;
  bool operator()(const Cell& cell) const;
};

struct Null {
  bool expected = true;
  bool operator()(const Cell& cell) const;
};

// What a condition asks of the values that its path names, made ready for many
// cells. Valid while the condition lives.
class CellTest {
 public:
  using Any = std::variant<Equals, OneOf, HoldsText, NumberRange, TimeRange,
                           CountRange, Empty, Null>;

  // The condition must have passed validate_filter().
  explicit CellTest(const where::MatchValue& condition);
  explicit CellTest(const where::MatchAny& condition);
  explicit CellTest(const where::MatchExcept& condition);
  explicit CellTest(const where::MatchText& condition);
  explicit CellTest(const where::Range& condition);
  explicit CellTest(const where::DatetimeRange& condition);
  explicit CellTest(const where::ValuesCount& condition);
  explicit CellTest(const where::IsEmpty& condition);
  explicit CellTest(const where::IsNull& condition);

  bool holds(const Cell& cell) const;

  // Writes 1 where the test holds and 0 elsewhere.
  void hold(std::span<const Cell> cells, std::uint8_t* holds) const;

  const Any& any() const { return any_; }

 private:
  Any any_;
};

}  // namespace lamina::filter
