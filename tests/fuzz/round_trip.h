#pragma once

#include <string>
#include <string_view>

#include "fuzz/target.h"
#include "lamina/result.h"

namespace lamina::fuzz {

// What can be read can be written, and reads back as the same: `write` of what
// `read` makes of the text is the text again. `read` and `write` are called
// with text and with what was read.
template <class Read, class Write>
void check_round_trip(const Read& read, const Write& write,
                      std::string_view input) {
  const auto first = read(input);
  if (!first.ok()) {
    check(!first.status().message().empty(), "a refusal says why");
    return;
  }
  const std::string text = write(*first);
  const auto second = read(std::string_view(text));
  if (!second.ok()) {
    check(false, "what was written can be read: " + text + ": " +
                     second.status().to_string());
  }
  check(write(*second) == text, "what was read back is the same");
}

}  // namespace lamina::fuzz
