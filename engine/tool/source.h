#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "io/point_reader.h"

namespace lamina::tool {

// The format asked for, or the one that the file's name tells.
Result<io::Format> choose_format(const std::filesystem::path& file,
                                 std::optional<io::Format> asked);

// Opens a file of points on its own.
Result<std::unique_ptr<io::PointReader>> open_source(
    const std::filesystem::path& file, std::optional<io::Format> asked);

}  // namespace lamina::tool
