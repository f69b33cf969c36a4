#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lamina::storage {

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `bytes`, continuing from
// `crc`, the result of an earlier call. Uses the CPU's instruction where it has
// one.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc = 0);

// The table-driven form, for CPUs without the instruction. Same result.
std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t crc = 0);

}  // namespace lamina::storage
