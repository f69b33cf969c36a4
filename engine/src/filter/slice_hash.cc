#include "filter/slice_hash.h"

#include <bit>
#include <cstddef>
#include <span>

namespace lamina::filter {
namespace {

// Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012. Input here
// is whole words only.
class SipHash {
 public:
  void absorb(std::uint64_t word) {
    v3_ ^= word;
    rounds(2);
    v0_ ^= word;
  }

  std::uint64_t finish() {
    v2_ ^= 0xff;
    rounds(4);
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void rounds(int count) {
    for (int i = 0; i < count; ++i) {
      v0_ += v1_;
      v2_ += v3_;
      v1_ = std::rotl(v1_, 13) ^ v0_;
      v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ = std::rotl(v0_, 32) + v3_;
      v2_ += v1_;
      v1_ = std::rotl(v1_, 17) ^ v2_;
      v3_ = std::rotl(v3_, 21) ^ v0_;
      v2_ = std::rotl(v2_, 32);
    }
  }

  std::uint64_t v0_ = 0x736f6d6570736575u;
  std::uint64_t v1_ = 0x646f72616e646f6du;
  std::uint64_t v2_ = 0x6c7967656e657261u;
  std::uint64_t v3_ = 0x7465646279746573u;
};

std::uint64_t little_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof(word); ++i) {
    word |= std::uint64_t{bytes[i]} << (8 * i);
  }
  return word;
}

}  // namespace

std::uint64_t slice_hash(const PointId& id) {
  // The last word holds the length, modulo 256, in its highest byte.
  constexpr int kLengthShift = 56;
  SipHash hash;
  if (!id.is_uuid()) {
    hash.absorb(id.number());
    hash.absorb(std::uint64_t{8} << kLengthShift);
    return hash.finish();
  }
  const PointId::UuidBytes bytes = id.uuid();
  const std::span all(bytes);
  hash.absorb(little_endian(all.first(8)));
  hash.absorb(little_endian(all.last(8)));
  hash.absorb(std::uint64_t{16} << kLengthShift);
  return hash.finish();
}

}  // namespace lamina::filter
