#include "rows/center_rule.h"

#include "rows/forced_word.h"

namespace lamina::rows {

CenterRule center_rule() {
  static const auto rule = static_cast<CenterRule>(
      forced_word("LAMINA_CENTER", {"automatic", "never", "always"}));
  return rule;
}

}  // namespace lamina::rows
