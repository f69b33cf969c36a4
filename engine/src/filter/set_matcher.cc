#include "filter/set_matcher.h"

#include <algorithm>
#include <utility>

#include "filter/row_matcher.h"

namespace lamina::filter {
namespace {

using search::RowSet;
using Conditions = std::vector<const CompiledCondition*>;

// What a condition costs a row, roughly.
int cost(const CompiledCondition& condition) {
  enum Cost { columns, groups, ids, payloads };
  if (std::holds_alternative<FieldTest>(condition)) return columns;
  if (std::holds_alternative<IdTest>(condition)) return columns;
  if (std::holds_alternative<GroupTest>(condition)) return groups;
  if (std::holds_alternative<SliceTest>(condition)) return ids;
  return payloads;
}

Conditions cheapest_first(const std::vector<CompiledCondition>& conditions) {
  Conditions sorted;
  sorted.reserve(conditions.size());
  for (const CompiledCondition& condition : conditions) {
    sorted.push_back(&condition);
  }
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto* a, const auto* b) { return cost(*a) < cost(*b); });
  return sorted;
}

}  // namespace

std::string_view to_string(Plan plan) {
  switch (plan) {
    case Plan::all:
      return "all";
    case Plan::ids:
      return "ids";
    case Plan::index:
      return "index";
    case Plan::column:
      return "column";
    case Plan::payload:
      break;
  }
  return "payload";
}

void SetMatcher::note(Plan plan) { plan_ = std::max(plan_, plan); }

RowSet SetMatcher::matching(const CompiledFilter& filter, RowSet candidates) {
  for (const auto* condition : cheapest_first(filter.must)) {
    candidates = matching(*condition, candidates);
  }
  for (const auto* condition : cheapest_first(filter.must_not)) {
    candidates -= matching(*condition, candidates);
  }
  if (!filter.should.empty()) {
    candidates = any_of(cheapest_first(filter.should), candidates);
  }
  if (filter.min_count > 0) {
    candidates = at_least(filter.min_count, cheapest_first(filter.min_should),
                          candidates);
  }
  return candidates;
}

RowSet SetMatcher::any_of(const Conditions& conditions, RowSet candidates) {
  RowSet found(candidates.size());
  for (const auto* condition : conditions) {
    const RowSet rows = matching(*condition, candidates);
    found |= rows;
    candidates -= rows;
  }
  return found;
}

RowSet SetMatcher::at_least(std::uint64_t min_count,
                            const Conditions& conditions,
                            const RowSet& candidates) {
  RowSet found(candidates.size());
  if (min_count > conditions.size()) return found;
  std::vector<std::uint16_t> counts(candidates.size());
  static_assert(kMaxFilterConditions <= 0xffff);
  for (const auto* condition : conditions) {
    matching(*condition, candidates).for_each([&](std::size_t row) {
      if (++counts[row] == min_count) found.insert(row);
    });
  }
  return found;
}

RowSet SetMatcher::matching(const CompiledCondition& condition,
                            const RowSet& candidates) {
  if (const auto* field = std::get_if<FieldTest>(&condition)) {
    const auto column = columns_.find(field->path, rows_);
    if (column == nullptr) return select_each(condition, candidates);
    return select(*field, *column, candidates);
  }
  if (const auto* ids = std::get_if<IdTest>(&condition)) {
    return select(*ids, candidates);
  }
  if (const auto* group = std::get_if<GroupTest>(&condition)) {
    return matching(*group->filter, candidates);
  }
  return select_each(condition, candidates);
}

RowSet SetMatcher::select(const FieldTest& field, const Column& column,
                          const RowSet& candidates) {
  bool used_index = false;
  RowSet rows = column.matching(field.test, &used_index);
  note(used_index ? Plan::index : Plan::column);
  rows &= candidates;
  return rows;
}

RowSet SetMatcher::select(const IdTest& test, const RowSet& candidates) {
  note(Plan::ids);
  RowSet found(candidates.size());
  for (const PointId& id : test.ids) {
    const std::optional<rows::Row> row = rows_.find(id);
    if (row && candidates.contains(*row)) found.insert(*row);
  }
  return found;
}

RowSet SetMatcher::select_each(const CompiledCondition& condition,
                               const RowSet& candidates) {
  const bool needs_ids = std::holds_alternative<SliceTest>(condition);
  note(needs_ids ? Plan::ids : Plan::payload);
  RowSet found(candidates.size());
  candidates.for_each([&](std::size_t index) {
    const auto row = static_cast<rows::Row>(index);
    Subject subject(rows_.id(row), rows_.payload(row));
    if (matches(condition, &subject)) found.insert(index);
  });
  return found;
}

}  // namespace lamina::filter
