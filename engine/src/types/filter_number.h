#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "lamina/filter.h"

namespace lamina {

// A JSON number as filters see it: an integer when it is written as one and 64
// bits hold it, else the nearest double. The text must be of a document that
// was parsed, which ensures that a double's range holds it.
where::Number read_json_number(std::string_view text);

// By exact value, whatever the two are: no integer is rounded. Unordered only
// when one of them is NaN.
std::partial_ordering compare(std::int64_t a, double b);
std::partial_ordering compare(const where::Number& a, const where::Number& b);

}  // namespace lamina
