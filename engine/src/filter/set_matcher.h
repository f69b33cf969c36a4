#pragma once

#include <string_view>
#include <vector>

#include "filter/column_cache.h"
#include "filter/compiled_filter.h"
#include "rows/row_table.h"
#include "search/row_set.h"

namespace lamina::filter {

// From the cheapest to the costliest.
enum class Plan { all, ids, index, column, payload };

std::string_view to_string(Plan plan);

// Evaluates a filter over all rows at once: conditions become sets of rows,
// those on columns first, so that what has to read payloads or call a predicate
// looks only at rows that are still open.
//
// Thread safety: one thread; lives for one filter.
class SetMatcher {
 public:
  SetMatcher(const ColumnCache& columns, const rows::RowTable& rows)
      : columns_(columns), rows_(rows) {}

  // The rows among `candidates` that match.
  search::RowSet matching(const CompiledFilter& filter,
                          search::RowSet candidates);

  // The costliest way that was taken.
  Plan plan() const { return plan_; }

 private:
  using Conditions = std::vector<const CompiledCondition*>;

  search::RowSet matching(const CompiledCondition& condition,
                          const search::RowSet& candidates);
  search::RowSet any_of(const Conditions& conditions,
                        search::RowSet candidates);
  search::RowSet at_least(std::uint64_t min_count, const Conditions& conditions,
                          const search::RowSet& candidates);

  search::RowSet select(const FieldTest& field, const Column& column,
                        const search::RowSet& candidates);
  search::RowSet select(const IdTest& test, const search::RowSet& candidates);
  // Row by row.
  search::RowSet select_each(const CompiledCondition& condition,
                             const search::RowSet& candidates);

  void note(Plan plan);

  const ColumnCache& columns_;
  const rows::RowTable& rows_;
  Plan plan_ = Plan::all;
};

}  // namespace lamina::filter
