#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lamina {

using Sha1Digest = std::array<std::uint8_t, 20>;

// SHA-1 (FIPS 180-4) of `data`. Only for naming things: version 5 UUIDs are
// defined by it. It resists no attacker.
Sha1Digest sha1(std::string_view data);

}  // namespace lamina
