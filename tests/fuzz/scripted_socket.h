#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lamina::fuzz {

// A connection without a kernel: recv(), send(), shutdown() and setsockopt() on
// kScriptedSocket are answered from here, as this program has its own of these
// functions in front of the C library's.
inline constexpr int kScriptedSocket = 1 << 20;

// Begins a connection over which `sent` arrives, in pieces of `piece_bytes`,
// and then its end; before each piece there is nothing for one call. What is
// sent back is taken in the same way. `sent` must outlive it.
void begin_connection(std::string_view sent, std::size_t piece_bytes);
// What was sent back since then.
const std::string& sent_back();

}  // namespace lamina::fuzz
