#include "types/sha1.h"

#include <bit>
#include <cstddef>
#include <string>

namespace lamina {
namespace {

constexpr std::size_t kBlockBytes = 64;

using State = std::array<std::uint32_t, 5>;

std::uint32_t load_big_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// The function and constant of the four groups of twenty rounds.
std::uint32_t mix(std::size_t round, std::uint32_t b, std::uint32_t c,
                  std::uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5A827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ED9EBA1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
  return (b ^ c ^ d) + 0xCA62C1D6;
}

void add_block(const char* block, State* state) {
  std::array<std::uint32_t, 80> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = load_big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 80; ++i) {
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  }
  auto [a, b, c, d, e] = *state;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t next = std::rotl(a, 5) + mix(i, b, c, d) + e + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const State added = {a, b, c, d, e};
  for (std::size_t i = 0; i < added.size(); ++i) (*state)[i] += added[i];
}

// The last bytes, a 1 bit, zeros up to a block's end, and the length in bits.
std::string padded_tail(std::string_view tail, std::uint64_t total_bytes) {
  std::string padded(tail);
  padded += '\x80';
  while (padded.size() % kBlockBytes != kBlockBytes - 8) padded += '\0';
  const std::uint64_t bits = total_bytes * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    padded += static_cast<char>(bits >> shift & 0xFF);
  }
  return padded;
}

}  // namespace

Sha1Digest sha1(std::string_view data) {
  State state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  const std::size_t whole = data.size() - data.size() % kBlockBytes;
  for (std::size_t i = 0; i < whole; i += kBlockBytes) {
    add_block(data.data() + i, &state);
  }
  const std::string tail = padded_tail(data.substr(whole), data.size());
  for (std::size_t i = 0; i < tail.size(); i += kBlockBytes) {
    add_block(tail.data() + i, &state);
  }

  Sha1Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] =
        static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)) & 0xFF);
  }
  return digest;
}

}  // namespace lamina
