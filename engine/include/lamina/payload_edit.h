#pragma once

#include <string>
#include <variant>
#include <vector>

#include "lamina/payload.h"

namespace lamina {

// The ways to change a payload. Paths are written as in filters: "a.b",
// "a[].b", "a[2].b". All four come to the same when they are done twice.

// Puts each member of `payload` in the place of the member of that name, or
// takes that away where the new one is null. All other members stay.
struct SetPayload {
  Payload payload{};
  // The path of the object to put them into; the whole payload when empty. On
  // the way to it, what is missing or of another kind becomes an object, or an
  // array without elements; elements that an array does not have are passed
  // over.
  std::string key{};

  bool operator==(const SetPayload&) const = default;
};

// Puts `payload` in the place of all that was there.
struct OverwritePayload {
  Payload payload{};

  bool operator==(const OverwritePayload&) const = default;
};

// Takes away what the paths name. "a[]" leaves an empty array. A path to one
// element, as "a[2]", is refused: doing it twice would take two.
struct DeletePayload {
  std::vector<std::string> keys{};

  bool operator==(const DeletePayload&) const = default;
};

// Leaves {}.
struct ClearPayload {
  bool operator==(const ClearPayload&) const = default;
};

using PayloadEdit =
    std::variant<SetPayload, OverwritePayload, DeletePayload, ClearPayload>;

}  // namespace lamina
