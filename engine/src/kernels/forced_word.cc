#include "kernels/forced_word.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lamina::kernels {

std::optional<std::size_t> forced_word(
    const char* name, std::span<const std::string_view> words) {
  const char* forced = std::getenv(name);
  const std::string_view word = forced == nullptr ? "" : forced;
  if (word.empty()) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) {
    return static_cast<std::size_t>(found - words.begin());
  }
  std::fprintf(stderr, "lamina: %s=%s is not one of:", name, forced);
  for (const std::string_view one : words) {
    std::fprintf(stderr, " %.*s", static_cast<int>(one.size()), one.data());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

}  // namespace lamina::kernels
