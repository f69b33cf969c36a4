#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lamina/payload_edit.h"
#include "lamina/result.h"
#include "types/json_path.h"
#include "types/json_reader.h"

namespace lamina {

// A PayloadEdit, read once and then done to any number of payloads.
class PayloadEditor {
 public:
  //   invalid_argument: a path that is none, or that names a single element to
  //   delete; no keys to delete, or more than kMaxPayloadKeys. Names the field.
  static Result<PayloadEditor> read(const PayloadEdit& edit);

  // What becomes of `payload`. Members keep their places; new ones come last.
  //   invalid_argument: it would be longer than kMaxPayloadBytes, or nested
  //   deeper than kMaxJsonDepth.
  Result<Payload> apply(const Payload& payload) const;

 private:
  enum class Kind { merge, replace, erase };

  Status read_set(const SetPayload& edit);
  Status read_delete(const DeletePayload& edit);
  Status add_path(std::string_view field, std::string_view text);

  Kind kind_ = Kind::replace;
  Payload payload_;
  std::optional<JsonDocument> document_;  // Of payload_, to merge.
  std::vector<JsonPath> paths_;  // The place to merge into, or what to erase.
};

}  // namespace lamina
