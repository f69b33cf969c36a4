#include "rows/center_rule.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace lamina::rows {
namespace {

CenterRule choose() {
  const char* forced = std::getenv("LAMINA_CENTER");
  const std::string_view word = forced == nullptr ? "" : forced;
  if (word.empty() || word == "automatic") return CenterRule::automatic;
  if (word == "never") return CenterRule::never;
  if (word == "always") return CenterRule::always;
  std::fprintf(
      stderr,
      "lamina: LAMINA_CENTER=%s is not one of: automatic never always\n",
      forced);
  std::exit(2);
}

}  // namespace

CenterRule center_rule() {
  static const CenterRule rule = choose();
  return rule;
}

}  // namespace lamina::rows
