#include "protocol/base64.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace lamina::protocol {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xFF;

// The value of each digit, or kNone.
constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNone);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<std::uint8_t>(kAlphabet[i])] =
        static_cast<std::uint8_t>(i);
  }
  return values;
}();

std::uint8_t value_of(char digit) {
  return kValues[static_cast<std::uint8_t>(digit)];
}

// Four digits to three bytes; false when one of them is none.
bool decode_four(const char* digits, char* bytes) {
  std::uint32_t bits = 0;
  std::uint8_t seen = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t value = value_of(digits[i]);
    seen |= value;
    bits = bits << 6 | (value & 0x3F);
  }
  bytes[0] = static_cast<char>(bits >> 16);
  bytes[1] = static_cast<char>(bits >> 8);
  bytes[2] = static_cast<char>(bits);
  return seen < 64;
}

Status malformed(std::string_view path, std::string_view what) {
  return Status::invalid_argument(std::string(path) + ": " + std::string(what));
}

// The bytes of a text whose length is a multiple of four; false when it is not
// base64.
bool decode(std::string_view text, std::string* bytes) {
  const std::size_t padding = text.ends_with("==")  ? 2
                              : text.ends_with('=') ? 1
                                                    : 0;
  bytes->resize(text.size() / 4 * 3);
  for (std::size_t i = 0; i + 4 <= text.size(); i += 4) {
    char digits[4];
    std::memcpy(digits, text.data() + i, 4);
    const bool is_last = i + 4 == text.size();
    for (std::size_t j = 4 - padding; is_last && j < 4; ++j) digits[j] = 'A';
    if (!decode_four(digits, bytes->data() + i / 4 * 3)) return false;
  }
  // What the padding stands for must be zero, so that there is one spelling.
  for (std::size_t i = 0; i < padding; ++i) {
    if (bytes->back() != 0) return false;
    bytes->pop_back();
  }
  const std::size_t last_digit = text.size() - padding - 1;
  const std::uint8_t loose = padding == 2 ? 0x0F : padding == 1 ? 0x03 : 0;
  return padding == 0 || (value_of(text[last_digit]) & loose) == 0;
}

}  // namespace

Status read_base64_floats(std::string_view text, std::string_view path,
                          std::vector<float>* values) {
  if (text.size() % 4 != 0) {
    return malformed(path, "base64 of " + std::to_string(text.size()) +
                               " digits, expected a multiple of 4");
  }
  std::string bytes;
  if (!decode(text, &bytes)) return malformed(path, "not base64");
  if (bytes.size() % sizeof(float) != 0) {
    return malformed(path, "base64 of " + std::to_string(bytes.size()) +
                               " bytes, expected 4 for each value");
  }
  const std::size_t begin = values->size();
  values->resize(begin + bytes.size() / sizeof(float));
  if (!bytes.empty()) {
    std::memcpy(values->data() + begin, bytes.data(), bytes.size());
  }
  return {};
}

}  // namespace lamina::protocol
