#pragma once

#include <cstddef>

// JSON numbers as text: where they end, and what they are as a float.
namespace lamina {

// Where the JSON number at `text` ends; null when no number starts there, or
// one longer than any float needs: kMaxShortNumberBytes, two digits of
// exponent.
const char* skip_short_number(const char* text, const char* end);

inline constexpr std::size_t kMaxShortNumberBytes = 64;

// Where the white space at `text` ends.
const char* skip_white_space(const char* text, const char* end);

// An array of numbers and nothing else.
struct NumberRun {
  std::size_t count = 0;
  const char* closing_bracket = nullptr;
};

// Reads over the numbers of an array whose '[' is behind us. Nothing found, a
// count of 0, when the array is empty or anything in it is not a short number.
NumberRun scan_number_run(const char* text, const char* end);

// Reads a JSON number as the float32 nearest to it and returns where it ends.
// One too small to hold becomes zero and keeps its sign. Null when the number
// is too large for a float32. The text must be a number by JSON's grammar.
const char* read_float(const char* text, const char* end, float* value);

}  // namespace lamina
