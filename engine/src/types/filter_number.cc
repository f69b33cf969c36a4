#include "types/filter_number.h"

#include <charconv>
#include <cmath>

namespace lamina {

where::Number read_json_number(std::string_view text) {
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end) return integer;
  double real = 0.0;  // Stays so when the number is too small for a double.
  std::from_chars(text.data(), end, real);
  return real;
}

std::partial_ordering compare(std::int64_t a, double b) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= kTwoTo63) return std::partial_ordering::less;
  if (b < -kTwoTo63) return std::partial_ordering::greater;
  const double whole = std::trunc(b);
  const auto whole_integer = static_cast<std::int64_t>(whole);
  if (a != whole_integer) return a <=> whole_integer;
  return 0.0 <=> b - whole;
}

std::partial_ordering compare(const where::Number& a, const where::Number& b) {
  const auto* a_integer = std::get_if<std::int64_t>(&a);
  const auto* b_integer = std::get_if<std::int64_t>(&b);
  if (a_integer != nullptr && b_integer != nullptr) {
    return *a_integer <=> *b_integer;
  }
  if (a_integer != nullptr) return compare(*a_integer, std::get<double>(b));
  if (b_integer != nullptr) {
    return 0 <=> compare(*b_integer, std::get<double>(a));
  }
  return std::get<double>(a) <=> std::get<double>(b);
}

}  // namespace lamina
