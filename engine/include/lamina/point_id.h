#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lamina/result.h"

namespace lamina {

// The key of a point: an unsigned 64-bit number or a UUID. Exact on every rung,
// never through a double.
//
// Order: all numbers before all UUIDs, then by value (UUIDs by their bytes).
// Thread safety: a value.
class PointId {
 public:
  using UuidBytes = std::array<std::uint8_t, 16>;

  PointId() = default;                             // number 0
  PointId(std::uint64_t number) : low_(number) {}  // NOLINT: implicit

  static PointId from_uuid(const UuidBytes& bytes);

  // Reads a UUID in any usual spelling: hyphenated, 32 hex digits, braced, or
  // with "urn:uuid:"; upper or lower case.
  //   invalid_argument: not a UUID.
  static Result<PointId> parse_uuid(std::string_view text);

  // Reads decimal digits as a number, anything else as a UUID: the form that
  // ids take in a URL path.
  //   invalid_argument: neither.
  static Result<PointId> parse(std::string_view text);

  // The same UUID for the same name, for ever: RFC 4122 version 5 under a
  // namespace of Lamina's own. For callers whose keys are arbitrary strings.
  static PointId from_name(std::string_view name);

  bool is_uuid() const { return is_uuid_; }

  // The number; only when !is_uuid().
  std::uint64_t number() const;

  // The 16 bytes in network order; only when is_uuid().
  UuidBytes uuid() const;

  // Decimal digits, or a lower-case hyphenated UUID.
  std::string to_string() const;

  auto operator<=>(const PointId&) const = default;

  std::size_t hash() const;

 private:
  bool is_uuid_ = false;  // First: numbers sort before UUIDs.
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace lamina

template <>
struct std::hash<lamina::PointId> {
  std::size_t operator()(const lamina::PointId& id) const { return id.hash(); }
};
