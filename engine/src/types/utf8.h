#pragma once

#include <cstddef>
#include <string_view>

namespace lamina {

// Bytes of the UTF-8 sequence at the start of `text`: 1 to 4, or 0 when there
// is none that is valid (RFC 3629: shortest form, no surrogates).
std::size_t utf8_sequence_length(std::string_view text);

bool is_valid_utf8(std::string_view text);

// The longest prefix of at most `max_bytes` that splits no sequence.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace lamina
