#pragma once

#include "lamina/filter.h"
#include "lamina/status.h"

namespace lamina {

// What every rung checks of a filter before it is used.
//   invalid_argument: more than kMaxFilterConditions conditions,
//   kMaxFilterDepth levels or kMaxFilterValues values; a path that is none; a
//   time that is none, or a range of times without one; a list that mixes
//   strings and integers; a bound that is not finite; text that is not UTF-8; a
//   min_count or total of 0; an index that is not below total; a predicate
//   without a function, or inside nested.
Status validate_filter(const Filter& filter);

// Whether a predicate stands anywhere in it: such a filter has no JSON form.
bool has_predicate(const Filter& filter);

// invalid_argument when there is one, for callers that need the JSON form.
Status refuse_predicate(const Filter& filter);

}  // namespace lamina
