#pragma once

namespace lamina::rows {

enum class CodingRule {
  automatic,  // Where it is expected to pay.
  never,
  always,
};

// What a table's codes are made with.
struct CodingRules {
  // Coding the rows of a chunk around their mean.
  CodingRule center = CodingRule::automatic;
  // A first stage along the leading principal axes.
  CodingRule axes = CodingRule::automatic;
};

// The rules of this process: `automatic`, or what LAMINA_CENTER and LAMINA_AXES
// name. Read at the first call. Another word ends the program with a message.
const CodingRules& coding_rules();

}  // namespace lamina::rows
