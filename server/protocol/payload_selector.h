#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lamina/payload.h"
#include "lamina/result.h"

namespace lamina {
class JsonValue;
}

namespace lamina::protocol {

// The "with_payload" of a request: all, nothing, or some paths of the payload.
struct PayloadSelector {
  bool enabled = false;
  // At most one of the two is filled. Paths: "a.b", "a[].b".
  std::vector<std::string> include;
  std::vector<std::string> exclude;

  // The part of `payload` that was asked for.
  Payload apply(const Payload& payload) const;
};

// true | false | [path] | {"include": [path]} | {"exclude": [path]}
Result<PayloadSelector> read_payload_selector(const JsonValue& value,
                                              std::string_view path);

}  // namespace lamina::protocol
