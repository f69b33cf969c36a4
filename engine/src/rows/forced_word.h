#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace lamina::rows {

// The place among `words` of what the environment variable `name` says; 0 when
// it is not set or empty. Another word ends the program with a message.
std::size_t forced_word(const char* name,
                        std::initializer_list<std::string_view> words);

}  // namespace lamina::rows
