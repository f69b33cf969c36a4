#pragma once

#include <filesystem>
#include <string_view>

namespace lamina::fuzz {

// A directory for files that must have a name, in memory where there is one. It
// goes when the program ends.
const std::filesystem::path& scratch();

// A file there, replaced when there is one.
std::filesystem::path write_scratch(std::string_view name,
                                    std::string_view bytes);

std::string read_whole(const std::filesystem::path& path);

}  // namespace lamina::fuzz
