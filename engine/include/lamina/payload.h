#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lamina/result.h"

namespace lamina {

// What a point carries besides its vector: a JSON object, kept as checked text.
// Numbers keep the digits that were put in; white space between tokens goes.
//
// Copying is cheap: copies share one immutable text.
// Thread safety: a value; distinct objects are independent.
class Payload {
 public:
  Payload() = default;  // {}

  // Checks that `text` is one JSON object.
  //   invalid_argument: not JSON, not an object, not valid UTF-8, a number
  //   beyond a double's range (1e400), nested deeper than kMaxJsonDepth, or
  //   longer than kMaxPayloadBytes.
  static Result<Payload> from_json(std::string_view text);

  // For text that was checked before. It must be what json() of a Payload
  // returned.
  static Payload from_checked_json(std::string_view text);

  // The object as JSON text without white space between tokens; "{}" when
  // empty. Valid for as long as any copy of this payload lives.
  std::string_view json() const;

  bool empty() const { return text_ == nullptr; }

  bool operator==(const Payload& other) const { return json() == other.json(); }

 private:
  std::shared_ptr<const std::string> text_;  // Null stands for {}.
};

}  // namespace lamina
