#include "lamina/point_id.h"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "types/sha1.h"
#include "types/utf8.h"

namespace lamina {
namespace {

constexpr std::size_t kUuidHexDigits = 32;
constexpr std::string_view kUrnPrefix = "urn:uuid:";

// The namespace of from_name(). Never change it: names would get other ids.
constexpr PointId::UuidBytes kNameSpace = {0x91, 0xbd, 0x3c, 0x8a, 0x3a, 0x74,
                                           0x4c, 0x34, 0xbe, 0x51, 0x57, 0x86,
                                           0x28, 0x58, 0x64, 0x66};

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Text as it may stand in a message: bounded, whatever the caller sent.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMaxShownBytes = 64;
  return '"' + std::string(utf8_prefix(text, kMaxShownBytes)) + '"';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with_urn(std::string_view text) {
  return text.size() >= kUrnPrefix.size() &&
         std::equal(kUrnPrefix.begin(), kUrnPrefix.end(), text.begin(),
                    [](char a, char b) { return a == lower(b); });
}

// Takes off "urn:uuid:" or braces; both at once are not a spelling of a UUID.
std::string_view without_wrapping(std::string_view text) {
  if (starts_with_urn(text)) return text.substr(kUrnPrefix.size());
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

// Where a hyphen stands in 8-4-4-4-12.
bool is_hyphen_place(std::size_t index) {
  return index == 8 || index == 13 || index == 18 || index == 23;
}

bool read_uuid(std::string_view text, PointId::UuidBytes* bytes) {
  const bool hyphenated = text.size() == kUuidHexDigits + 4;
  if (!hyphenated && text.size() != kUuidHexDigits) return false;
  std::size_t digit = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (hyphenated && is_hyphen_place(i)) {
      if (text[i] != '-') return false;
      continue;
    }
    const int value = hex_value(text[i]);
    if (value < 0) return false;
    std::uint8_t& byte = (*bytes)[digit / 2];
    byte =
        static_cast<std::uint8_t>(digit % 2 == 0 ? value << 4 : byte | value);
    ++digit;
  }
  return true;
}

std::uint64_t load_big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

void store_big_endian(std::uint64_t value, std::uint8_t* bytes) {
  for (int i = 7; i >= 0; --i, value >>= 8) {
    bytes[i] = static_cast<std::uint8_t>(value & 0xFF);
  }
}

// Spreads every input bit over the whole word, so that ids in sequence do not
// fill neighbouring buckets.
std::uint64_t scramble(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xFF51AFD7ED558CCDull;
  value ^= value >> 33;
  value *= 0xC4CEB9FE1A85EC53ull;
  return value ^ value >> 33;
}

}  // namespace

PointId PointId::from_uuid(const UuidBytes& bytes) {
  PointId id;
  id.is_uuid_ = true;
  id.high_ = load_big_endian(bytes.data());
  id.low_ = load_big_endian(bytes.data() + 8);
  return id;
}

Result<PointId> PointId::parse_uuid(std::string_view text) {
  UuidBytes bytes = {};
  if (!read_uuid(without_wrapping(text), &bytes)) {
    return Status::invalid_argument(quoted(text) + " is not a UUID");
  }
  return from_uuid(bytes);
}

Result<PointId> PointId::parse(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && rest == end) return PointId(number);

  Result<PointId> uuid = parse_uuid(text);
  if (uuid.ok()) return uuid;
  return Status::invalid_argument("Can not recognize " + quoted(text) +
                                  " as point id");
}

PointId PointId::from_name(std::string_view name) {
  std::string hashed(kNameSpace.begin(), kNameSpace.end());
  hashed += name;
  const Sha1Digest digest = sha1(hashed);
  UuidBytes bytes;
  std::copy_n(digest.begin(), bytes.size(), bytes.begin());
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0F) | 0x50);  // Version 5
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3F) | 0x80);  // RFC 4122
  return from_uuid(bytes);
}

std::uint64_t PointId::number() const {
  assert(!is_uuid_);
  return low_;
}

PointId::UuidBytes PointId::uuid() const {
  assert(is_uuid_);
  UuidBytes bytes;
  store_big_endian(high_, bytes.data());
  store_big_endian(low_, bytes.data() + 8);
  return bytes;
}

std::string PointId::to_string() const {
  if (!is_uuid_) return std::to_string(low_);
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(kUuidHexDigits + 4);
  for (const std::uint8_t byte : uuid()) {
    if (is_hyphen_place(text.size())) text += '-';
    text += kHex[byte >> 4];
    text += kHex[byte & 0xF];
  }
  return text;
}

std::size_t PointId::hash() const {
  return scramble(low_ + scramble(high_ + (is_uuid_ ? 1 : 0)));
}

}  // namespace lamina
