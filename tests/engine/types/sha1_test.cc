#include "types/sha1.h"

#include <doctest/doctest.h>

#include <string>

namespace lamina {
namespace {

std::string hex(std::string_view data) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : sha1(data)) {
    text += kHex[byte >> 4];
    text += kHex[byte & 0xF];
  }
  return text;
}

TEST_CASE("SHA-1 gives the digests of the standard") {
  CHECK(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  CHECK(hex(std::string(1'000'000, 'a')) ==
        "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST_CASE("SHA-1 pads right at every length around a block") {
  // SHA-1 of the digests of "x" * n for n in 0..129, as Python's hashlib has
  // it.
  std::string digests;
  for (std::size_t n = 0; n < 130; ++n) digests += hex(std::string(n, 'x'));
  CHECK(hex(digests) == "3bbe88bdb89312954ced71b5ab31e144c9122748");
}

}  // namespace
}  // namespace lamina
