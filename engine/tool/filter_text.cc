#include "filter_text.h"

#include "protocol/filter_json.h"
#include "types/json_reader.h"

namespace lamina::tool {

Result<Filter> parse_filter(const std::optional<std::string>& text) {
  if (!text.has_value()) return Filter();
  const Result<JsonDocument> document = JsonDocument::parse(*text);
  if (!document.ok()) {
    return Status::invalid_argument("filter: " + document.status().message());
  }
  return protocol::read_filter(document->root(), "filter");
}

}  // namespace lamina::tool
