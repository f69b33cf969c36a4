#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lamina/result.h"

// A small file that is there as a whole or not at all.
namespace lamina::server {

// Its bytes; none when there is no such file.
//   io_error, or data_loss when it is larger than `max_bytes`.
Result<std::string> read_state_file(const std::filesystem::path& path,
                                    std::size_t max_bytes);

// Puts `bytes` in its place, and returns when they are on the disk. A crash
// leaves the old ones or the new ones.
Status replace_state_file(const std::filesystem::path& path,
                          std::string_view bytes);

}  // namespace lamina::server
