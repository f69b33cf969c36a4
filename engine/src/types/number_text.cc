#include "types/number_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace lamina {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* skip_digits(const char* text, const char* end) {
  while (text != end && is_digit(*text)) ++text;
  return text;
}

// One digit or more; null when there is none.
const char* require_digits(const char* text, const char* end) {
  const char* behind = skip_digits(text, end);
  return behind == text ? nullptr : behind;
}

// One digit or two, behind a sign.
const char* skip_short_exponent(const char* text, const char* end) {
  if (text != end && (*text == '+' || *text == '-')) ++text;
  const char* behind = require_digits(text, end);
  return behind != nullptr && behind - text > 2 ? nullptr : behind;
}

// The number behind 'e', held within bounds that no text's length reaches.
std::int64_t saturated_exponent(std::string_view text) {
  constexpr std::int64_t kBound = std::int64_t{1} << 40;
  const bool negative = !text.empty() && text.front() == '-';
  std::int64_t value = 0;
  for (const char c : text) {
    if (is_digit(c)) value = std::min(kBound, value * 10 + (c - '0'));
  }
  return negative ? -value : value;
}

// Whether a number that is not a float's is too large rather than too small.
// The two are 80 orders of magnitude apart, so that the place of the first
// digit that counts decides.
bool is_above_one(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, e);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::int64_t exponent = e == std::string_view::npos
                                    ? 0
                                    : saturated_exponent(number.substr(e + 1));
  return static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) +
             exponent >
         0;
}

}  // namespace

const char* skip_short_number(const char* text, const char* end) {
  const char* begin = text;
  if (text != end && *text == '-') ++text;
  if (text == end || !is_digit(*text)) return nullptr;
  text = *text == '0' ? text + 1 : skip_digits(text, end);
  if (text != end && *text == '.') {
    text = require_digits(text + 1, end);
    if (text == nullptr) return nullptr;
  }
  if (text != end && (*text == 'e' || *text == 'E')) {
    text = skip_short_exponent(text + 1, end);
    if (text == nullptr) return nullptr;
  }
  const bool is_short =
      text - begin <= static_cast<std::ptrdiff_t>(kMaxShortNumberBytes);
  return is_short ? text : nullptr;
}

const char* skip_white_space(const char* text, const char* end) {
  while (text != end &&
         (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t')) {
    ++text;
  }
  return text;
}

NumberRun scan_number_run(const char* text, const char* end) {
  NumberRun run;
  while (true) {
    text = skip_short_number(skip_white_space(text, end), end);
    if (text == nullptr) return {};
    ++run.count;
    text = skip_white_space(text, end);
    if (text == end) return {};
    if (*text == ']') {
      run.closing_bracket = text;
      return run;
    }
    if (*text != ',') return {};
    ++text;
  }
}

const char* read_float(const char* text, const char* end, float* value) {
  const auto [behind, error] = std::from_chars(text, end, *value);
  if (error == std::errc()) return behind;
  if (is_above_one({text, behind})) return nullptr;
  *value = *text == '-' ? -0.0f : 0.0f;
  return behind;
}

}  // namespace lamina
