#include "types/utf8.h"

#include <doctest/doctest.h>

#include <string>

namespace lamina {
namespace {

// Written from the definition, bit by bit: what utf8_sequence_length decides by
// ranges.
bool is_scalar_value(const std::string& bytes, std::size_t length) {
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(bytes[i]);
  };
  std::uint32_t value =
      length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
  const std::uint32_t mark = length == 1 ? 0x00 : 0xFF00u >> length & 0xFF;
  const std::uint32_t mask = length == 1 ? 0x80 : 0xFF80u >> length & 0xFF;
  if ((byte(0) & mask) != mark) return false;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return false;
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  return value >= kSmallest[length] && value <= 0x10FFFF && !is_surrogate;
}

TEST_CASE("all lead bytes with all second bytes are judged by the definition") {
  for (int lead = 0; lead < 256; ++lead) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(lead),
                                 static_cast<char>(second), '\x80', '\xBF'};
      std::size_t expected = 0;
      for (std::size_t length = 1; length <= 4; ++length) {
        if (is_scalar_value(bytes, length)) expected = length;
      }
      if (utf8_sequence_length(bytes) != expected) {
        CAPTURE(lead);
        CAPTURE(second);
        CHECK(utf8_sequence_length(bytes) == expected);
      }
    }
  }
}

TEST_CASE("a sequence cut short is not valid") {
  CHECK(is_valid_utf8("aé€😀"));
  CHECK(is_valid_utf8(""));
  CHECK_FALSE(is_valid_utf8("\xC3"));
  CHECK_FALSE(is_valid_utf8("a\xE2\x82"));
  CHECK_FALSE(is_valid_utf8("\xF0\x9F\x98"));
}

TEST_CASE("a prefix splits no sequence") {
  CHECK(utf8_prefix("aé", 3) == "aé");
  CHECK(utf8_prefix("aé", 2) == "a");
  CHECK(utf8_prefix("😀😀", 7) == "😀");
  CHECK(utf8_prefix("😀", 0) == "");
  CHECK(utf8_prefix("\x80\x80\x80", 2) == "");
}

}  // namespace
}  // namespace lamina
