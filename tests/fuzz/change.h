#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fuzz/target.h"

namespace lamina::fuzz {

// Changes inputs without knowing what they do: bits, bytes, pieces, words of
// the target, pieces of other inputs. The same random numbers give the same
// changes.
class BlindChanges {
 public:
  // `words` and `others` must outlive it.
  BlindChanges(Random* random, std::span<const std::string> words,
               std::span<const std::string> others)
      : random_(*random), words_(words), others_(others) {}

  void operator()(std::string* bytes);

 private:
  void change_once(std::string* bytes);
  void change_byte(std::string* bytes);
  void put(std::string_view piece, std::string* bytes);
  std::string_view piece_of(std::string_view bytes);

  Random& random_;
  std::span<const std::string> words_;
  std::span<const std::string> others_;
};

}  // namespace lamina::fuzz
