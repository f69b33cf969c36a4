#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/random_points.h"

// What reads bytes from a file or from the network, each with what must hold
// for any bytes at all.
namespace lamina::fuzz {

using test::Random;

// Changes some bytes of a string, which it may make longer or shorter.
using ChangeBytes = std::function<void(std::string* bytes)>;

struct Target {
  std::string_view name;
  // What it reads and what must hold, for docs/fuzzing.md.
  std::string_view what;
  // Ends the process, by check(), when it does not hold.
  void (*run)(std::string_view input);
  // Inputs to start from: what our own code writes, and what has broken others.
  std::vector<std::string> (*seeds)();
  // Texts that the reader knows, to be put into inputs.
  std::vector<std::string> words;
  std::size_t most_bytes = 2048;
  // Changes an input so that it still gets past its checksums or lengths. Null
  // where there is nothing to get past.
  void (*change)(Random* random, const ChangeBytes& change_bytes,
                 std::string* input) = nullptr;
};

// All of them.
std::span<const Target> targets();
// Null when there is none of that name.
const Target* find_target(std::string_view name);

// Ends the process when something does not hold: `promise` says what should.
void check(bool holds, std::string_view promise);

// The first byte of an input, for targets that read in several ways; 0 when
// there is none.
std::size_t take_choice(std::string_view* input);
// An input that says so.
std::string with_choice(std::size_t choice, std::string_view input);

}  // namespace lamina::fuzz
