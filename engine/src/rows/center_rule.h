#pragma once

namespace lamina::rows {

// Whether the rows of a chunk are coded around their mean.
enum class CenterRule {
  automatic,  // When it takes enough of their length away.
  never,
  always,
};

// The rule of this process: `automatic`, or what LAMINA_CENTER names. Read at
// the first call. Another word ends the program with a message, as a forced
// rule that silently is another one measures nothing.
CenterRule center_rule();

}  // namespace lamina::rows
