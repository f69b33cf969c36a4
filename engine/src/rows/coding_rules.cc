#include "rows/coding_rules.h"

#include <string_view>

#include "kernels/forced_word.h"

namespace lamina::rows {
namespace {

CodingRule rule_of(const char* variable) {
  constexpr std::string_view kWords[] = {"automatic", "never", "always"};
  return static_cast<CodingRule>(
      kernels::forced_word(variable, kWords).value_or(0));
}

}  // namespace

const CodingRules& coding_rules() {
  static const CodingRules rules = {.center = rule_of("LAMINA_CENTER"),
                                    .axes = rule_of("LAMINA_AXES")};
  return rules;
}

}  // namespace lamina::rows
