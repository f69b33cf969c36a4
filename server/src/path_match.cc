#include "path_match.h"

#include <algorithm>

namespace lamina::server {
namespace {

// Takes the next segment that is not empty; empty when there is none.
std::string_view take_segment(std::string_view* path) {
  const std::size_t begin =
      std::min(path->find_first_not_of('/'), path->size());
  path->remove_prefix(begin);
  const std::string_view segment = path->substr(0, path->find('/'));
  path->remove_prefix(segment.size());
  return segment;
}

}  // namespace

std::optional<PathSegments> PathSegments::split(std::string_view path) {
  PathSegments split;
  for (std::string_view segment = take_segment(&path); !segment.empty();
       segment = take_segment(&path)) {
    if (split.count_ == kMax) return std::nullopt;
    split.segments_[split.count_++] = segment;
  }
  return split;
}

bool PathSegments::match(std::string_view pattern) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const std::string_view wanted = take_segment(&pattern);
    if (wanted.empty()) return false;
    if (wanted.front() != '{' && wanted != segments_[i]) return false;
  }
  return take_segment(&pattern).empty();
}

std::string_view PathSegments::at(std::string_view parameter,
                                  std::string_view pattern) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (take_segment(&pattern) == parameter) return segments_[i];
  }
  return {};
}

}  // namespace lamina::server
