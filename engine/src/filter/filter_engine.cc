#include "filter/filter_engine.h"

#include "filter/compiled_filter.h"
#include "filter/set_matcher.h"
#include "types/filter_check.h"

namespace lamina::filter {

Status FilterEngine::create_index(std::string_view key, PayloadIndexType type,
                                  const rows::RowTable& rows) {
  Result<NewIndex> index = make_index(key, type, rows);
  if (!index.ok()) return index.status();
  set_index(*std::move(index));
  return {};
}

Result<Matching> FilterEngine::matching(const Filter& filter,
                                        const rows::RowTable& rows) const {
  const Status valid = validate_filter(filter);
  if (!valid.ok()) return valid;
  SetMatcher matcher(columns_, rows);
  search::RowSet found =
      matcher.matching(compile(filter), search::RowSet::all(rows.size()));
  return Matching{std::move(found), to_string(matcher.plan())};
}

}  // namespace lamina::filter
