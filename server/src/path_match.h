#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace lamina::server {

// A path cut at its slashes, nothing decoded. Empty segments do not count, so
// that doubled and trailing slashes mean nothing.
class PathSegments {
 public:
  // No route has more.
  static constexpr std::size_t kMax = 8;

  // Absent when there are more segments than any route has.
  static std::optional<PathSegments> split(std::string_view path);

  // Whether the path is one that `pattern` ("/collections/{c}") describes.
  bool match(std::string_view pattern) const;

  // The segment that stands at `parameter` ("{c}") in a pattern that matches;
  // empty when the pattern does not have it.
  std::string_view at(std::string_view parameter,
                      std::string_view pattern) const;

 private:
  std::array<std::string_view, kMax> segments_;
  std::size_t count_ = 0;
};

}  // namespace lamina::server
