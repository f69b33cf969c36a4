#include "types/number_text.h"

#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace lamina {
namespace {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// What the standard library makes of it; only for numbers within the range.
float expected_float(const std::string& text) {
  float value = 0.0f;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void check_reads_as_expected(const std::string& text) {
  CAPTURE(text);
  float value = 0.0f;
  const char* end = text.data() + text.size();
  CHECK(read_float(text.data(), end, &value) == end);
  CHECK(bits(value) == bits(expected_float(text)));
}

TEST_CASE("numbers of any length read as the nearest float") {
  std::mt19937_64 random(2);
  for (int digits = 1; digits <= 25; ++digits) {
    for (int i = 0; i < 200; ++i) {
      std::string text = random() % 2 == 0 ? "-" : "";
      text += std::to_string(random() % 10) + ".";
      while (text.size() < static_cast<std::size_t>(digits) + 2) {
        text += static_cast<char>('0' + random() % 10);
      }
      check_reads_as_expected(text);
      check_reads_as_expected(text + "e-3");
      check_reads_as_expected(text + "E+20");
      check_reads_as_expected(text + "e-35");
    }
  }
}

TEST_CASE("numbers halfway between two floats round to the even one") {
  check_reads_as_expected("16777217");
  check_reads_as_expected("16777219");
  check_reads_as_expected("1.000000059604644775390625");
  // Nearer to the middle than a double can tell, above it and below it.
  check_reads_as_expected("1.00000005960464477539062500000000001");
  check_reads_as_expected("1.00000005960464477539062499999999999");
  check_reads_as_expected("16777217.0000000000001");
  check_reads_as_expected("16777216.9999999999999");
  // Below the middle, but a double's quotient is the middle itself.
  check_reads_as_expected("9.000001430511474");
  check_reads_as_expected("-9.000001430511474");
}

TEST_CASE("all values of three and four decimals read exactly") {
  for (int i = 0; i < 10'000; ++i) {
    std::string decimals = std::to_string(i);
    decimals.insert(0, 4 - decimals.size(), '0');
    check_reads_as_expected("0." + decimals);
    check_reads_as_expected("-12." + decimals);
  }
}

TEST_CASE("a run of numbers ends at its bracket") {
  const std::string text = "1, 2.5 ,-3e4\n] 7";
  const char* end = text.data() + text.size();
  const NumberRun run = scan_number_run(text.data(), end);
  CHECK(run.count == 3);
  CHECK(run.closing_bracket == text.data() + text.find(']'));
}

TEST_CASE("what is not a run of numbers is none") {
  for (const std::string text :
       {"", "]", "1", "1,", "1,]", ",1]", "1 2]", "1,null]", "1,\"2\"]", "[1]]",
        "01]", "1.]", "-]"}) {
    CAPTURE(text);
    CHECK(scan_number_run(text.data(), text.data() + text.size()).count == 0);
  }
}

}  // namespace
}  // namespace lamina
