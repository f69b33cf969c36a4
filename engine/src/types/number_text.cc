#include "types/number_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

namespace lamina {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

static_assert(std::endian::native == std::endian::little,
              "the first character must be a word's lowest byte");

// Up to eight digits, worked on as one word: most numbers of a vector have
// eight or nine behind the point, and their ends cannot be guessed by a branch.
struct DigitWord {
  std::uint64_t values = 0;  // The digits' values, one a byte, first lowest.
  std::size_t count = 0;     // Digits before the first other character.
};

DigitWord load_digits(const char* text, const char* end) {
  std::uint64_t word = 0;
  if (end - text >= 8) {
    std::memcpy(&word, text, 8);
  } else {
    std::memcpy(&word, text, static_cast<std::size_t>(end - text));
  }
  word ^= 0x3030303030303030;  // '0'..'9' become 0..9, no other byte does.
  // Sets the highest bit of each byte that is above 9; no carry leaves a byte.
  const std::uint64_t others =
      (((word & 0x7F7F7F7F7F7F7F7F) + 0x7676767676767676) | word) &
      0x8080808080808080;
  return {word, static_cast<std::size_t>(std::countr_zero(others)) / 8};
}

const char* skip_digits(const char* text, const char* end) {
  while (true) {
    const std::size_t count = load_digits(text, end).count;
    // A branch that is nearly always right beats an addition that must wait.
    if (count < 8) return text + count;
    text += 8;
  }
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

// The number of up to eight digits: neighbours are joined to pairs, pairs to
// fours, fours to the whole.
std::uint64_t value_of(const DigitWord& word) {
  if (word.count == 0) return 0;
  // To the end of the word, so that zeros lead.
  std::uint64_t v = word.values << (64 - 8 * word.count);
  v = (v * 10 + (v >> 8)) & 0x00FF00FF00FF00FF;
  v = (v * 100 + (v >> 16)) & 0x0000FFFF0000FFFF;
  return (v * 10'000 + (v >> 32)) & 0x00000000FFFFFFFF;
}

// Reads digits behind those in `value`; returns how many. More than 19 in all
// overflow it.
std::size_t read_digits(const char* text, const char* end,
                        std::uint64_t* value) {
  constexpr std::uint64_t kPowers[] = {
      1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
  std::size_t total = 0;
  while (true) {
    const DigitWord word = load_digits(text + total, end);
    *value = *value * kPowers[word.count] + value_of(word);
    if (word.count < 8) return total + word.count;
    total += 8;
  }
}

// The float nearest to digits / 10^decimals, when doubles can tell; the
// division rounds, and rounding again to a float is right unless the quotient
// lies halfway between two floats, where the first rounding may have put it.
std::optional<float> nearest_float(std::uint64_t digits, std::size_t decimals) {
  constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;
  if (digits > kMaxExact || decimals >= std::size(kPowers)) return std::nullopt;
  if (digits == 0) return 0.0f;
  const double quotient = static_cast<double>(digits) / kPowers[decimals];
  // The bits that a float does not have, as they are halfway. The smallest
  // quotient is 1e-22, so that no float is denormal.
  constexpr std::uint64_t kLostBits = (std::uint64_t{1} << 29) - 1;
  constexpr std::uint64_t kHalfway = std::uint64_t{1} << 28;
  if ((std::bit_cast<std::uint64_t>(quotient) & kLostBits) == kHalfway) {
    return std::nullopt;
  }
  return static_cast<float>(quotient);
}

// Reads a number without exponent and of few digits: nearly all there are. Null
// for others, which the standard library reads.
const char* read_plain_float(const char* text, const char* end, float* value) {
  constexpr std::size_t kMaxDigits = 19;
  // Signs are random: added, not branched upon, here and below.
  const bool negative = text != end && *text == '-';
  text += negative;
  std::uint64_t digits = 0;
  std::size_t count = 0;
  for (; text != end && is_digit(*text); ++text, ++count) {
    digits = digits * 10 + static_cast<std::uint64_t>(*text - '0');
  }
  std::size_t decimals = 0;
  if (text != end && *text == '.') {
    decimals = read_digits(text + 1, end, &digits);
    text += 1 + decimals;
  }
  if (text != end && (*text == 'e' || *text == 'E')) return nullptr;
  if (count + decimals > kMaxDigits) return nullptr;
  const std::optional<float> magnitude = nearest_float(digits, decimals);
  if (!magnitude.has_value()) return nullptr;
  const std::uint32_t sign = std::uint32_t{negative} << 31;
  *value =
      std::bit_cast<float>(std::bit_cast<std::uint32_t>(*magnitude) | sign);
  return text;
}

}  // namespace

const char* skip_short_number(const char* text, const char* end) {
  const char* begin = text;
  text += text != end && *text == '-';
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
  const char* plain = read_plain_float(text, end, value);
  if (plain != nullptr) return plain;
  const auto [behind, error] = std::from_chars(text, end, *value);
  if (error == std::errc()) return behind;
  if (is_above_one({text, behind})) return nullptr;
  *value = *text == '-' ? -0.0f : 0.0f;
  return behind;
}

}  // namespace lamina
