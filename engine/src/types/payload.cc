#include "lamina/payload.h"

#include "lamina/limits.h"
#include "types/json_reader.h"

namespace lamina {
namespace {

constexpr std::string_view kEmptyObject = "{}";

}  // namespace

Result<Payload> Payload::from_json(std::string_view text) {
  if (text.size() > kMaxPayloadBytes) {
    return Status::invalid_argument(
        "payload of " + std::to_string(text.size()) + " bytes, at most " +
        std::to_string(kMaxPayloadBytes) + " are allowed");
  }
  Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) {
    return Status::invalid_argument("payload: " + document.status().message());
  }
  if (document->root().kind() != JsonKind::object) {
    return Status::invalid_argument("payload must be a JSON object");
  }
  return from_checked_json(document->root().compact_text());
}

Payload Payload::from_checked_json(std::string_view text) {
  Payload payload;
  if (text != kEmptyObject) {
    payload.text_ = std::make_shared<const std::string>(text);
  }
  return payload;
}

std::string_view Payload::json() const {
  return text_ == nullptr ? kEmptyObject : std::string_view(*text_);
}

}  // namespace lamina
