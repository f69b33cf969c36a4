#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <variant>
#include <vector>

#include "filter/cell_test.h"
#include "lamina/filter.h"
#include "lamina/point_id.h"
#include "types/json_path.h"

namespace lamina::filter {

struct CompiledFilter;

struct FieldTest {
  JsonPath path;
  CellTest test;
};

struct IdTest {
  std::unordered_set<PointId> ids;
};

struct SliceTest {
  std::uint64_t total = 1;
  std::uint64_t index = 0;
};

struct PredicateTest {
  const where::Predicate::Function* function = nullptr;
};

struct NestedTest {
  JsonPath elements;  // Of the array.
  std::unique_ptr<const CompiledFilter> filter;
};

struct GroupTest {
  std::unique_ptr<const CompiledFilter> filter;
};

using CompiledCondition = std::variant<FieldTest, IdTest, SliceTest,
                                       PredicateTest, NestedTest, GroupTest>;

// A filter made ready for many rows: paths, times and lists are read once.
// Valid while a copy of the filter lives.
struct CompiledFilter {
  std::vector<CompiledCondition> must;
  std::vector<CompiledCondition> should;
  std::vector<CompiledCondition> must_not;
  // At least so many of them; 0 when there is no such clause.
  std::uint64_t min_count = 0;
  std::vector<CompiledCondition> min_should;
};

// The filter must have passed validate_filter().
CompiledFilter compile(const Filter& filter);

}  // namespace lamina::filter
