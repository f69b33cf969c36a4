#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lamina::kernels {

// The place among `words` of what the environment variable `name` says; nothing
// when it is not set or empty. Another word ends the program with a message: a
// choice that is forced and silently is another one measures nothing.
std::optional<std::size_t> forced_word(const char* name,
                                       std::span<const std::string_view> words);

}  // namespace lamina::kernels
