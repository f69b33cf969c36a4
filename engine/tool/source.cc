#include "source.h"

namespace lamina::tool {

Result<io::Format> choose_format(const std::filesystem::path& file,
                                 std::optional<io::Format> asked) {
  if (asked.has_value()) return *asked;
  Result<io::Format> told = io::format_of(file);
  if (told.ok()) return told;
  return Status::invalid_argument(told.status().message() +
                                  "; name it with --format");
}

Result<std::unique_ptr<io::PointReader>> open_source(
    const std::filesystem::path& file, std::optional<io::Format> asked) {
  const Result<io::Format> format = choose_format(file, asked);
  if (!format.ok()) return format.status();
  return io::open_points({.points = file, .format = *format});
}

}  // namespace lamina::tool
