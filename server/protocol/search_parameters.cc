#include "protocol/search_parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lamina/limits.h"
#include "protocol/filter_json.h"
#include "protocol/message.h"
#include "protocol/paths.h"
#include "types/json_reader.h"
#include "types/json_writer.h"

namespace lamina::protocol {
namespace {

Status malformed(std::string_view name, std::string_view allowed) {
  return Status::invalid_argument(std::string(name) + ": must be " +
                                  std::string(allowed));
}

template <class T>
bool read_all(std::string_view text, T* value) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, *value);
  return read.ec == std::errc() && read.ptr == end;
}

Status read_count(std::string_view name, std::string_view text,
                  std::uint64_t min, std::uint64_t* count) {
  if (!read_all(text, count)) return malformed(name, "an unsigned integer");
  if (*count < min) {
    return Status::invalid_field(
        std::string(name), "value " + std::to_string(*count) +
                               " invalid, must be " + std::to_string(min) +
                               " or larger");
  }
  *count = std::min(*count, kMaxCount);
  return {};
}

Status read_bool(std::string_view name, std::string_view text, bool* value) {
  *value = text == "true";
  return *value || text == "false" ? Status()
                                   : malformed(name, "true or false");
}

Status read_limit(std::string_view text, SearchParameters* parameters) {
  return read_count("limit", text, 1, &parameters->options.top_k);
}

Status read_offset(std::string_view text, SearchParameters* parameters) {
  return read_count("offset", text, 0, &parameters->options.offset);
}

Status read_threshold(std::string_view text, SearchParameters* parameters) {
  float value = 0.0f;
  if (!read_all(text, &value) || !std::isfinite(value)) {
    return malformed("score_threshold", "a number");
  }
  parameters->options.score_threshold = value;
  return {};
}

Status read_ef(std::string_view text, SearchParameters* parameters) {
  std::uint64_t ef = 0;
  const Status read = read_count("ef", text, 1, &ef);
  if (!read.ok()) return read;
  parameters->options.hnsw_ef =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(ef, kMaxHnswEf));
  return {};
}

Status read_exact(std::string_view text, SearchParameters* parameters) {
  return read_bool("exact", text, &parameters->options.exact);
}

Status read_with_vector(std::string_view text, SearchParameters* parameters) {
  return read_bool("with_vector", text, &parameters->options.with_vector);
}

Status read_with_payload(std::string_view text, SearchParameters* parameters) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return malformed("with_payload", "JSON");
  Result<PayloadSelector> selector =
      read_payload_selector(document->root(), "with_payload");
  if (!selector.ok()) return selector.status();
  parameters->payload = *std::move(selector);
  parameters->options.with_payload = parameters->payload.enabled;
  return {};
}

Status read_filter_text(std::string_view text, SearchParameters* parameters) {
  if (text.size() > kMaxFilterTextBytes) {
    return malformed(
        "filter", "at most " + std::to_string(kMaxFilterTextBytes) + " bytes");
  }
  const Result<JsonDocument> document = parse_message(text);
  if (!document.ok()) {
    return Status::invalid_argument("filter: " + document.status().message());
  }
  Result<Filter> filter = read_filter(document->root(), "filter");
  if (!filter.ok()) return filter.status();
  parameters->options.filter = *std::move(filter);
  return {};
}

struct ParameterRow {
  std::string_view name;
  Status (*read)(std::string_view text, SearchParameters* parameters);
};

constexpr ParameterRow kParameters[] = {{"limit", read_limit},
                                        {"offset", read_offset},
                                        {"score_threshold", read_threshold},
                                        {"ef", read_ef},
                                        {"exact", read_exact},
                                        {"with_payload", read_with_payload},
                                        {"with_vector", read_with_vector},
                                        {"filter", read_filter_text}};

}  // namespace

Status read_search_parameter(std::string_view name, std::string_view value,
                             SearchParameters* parameters) {
  for (const ParameterRow& row : kParameters) {
    if (row.name == name) return row.read(value, parameters);
  }
  return Status::invalid_argument("unknown parameter `" +
                                  std::string(name.substr(0, 64)) + "`");
}

std::string encode_search_parameters(const QueryOptions& options) {
  std::string text = "limit=" + std::to_string(options.top_k);
  if (options.offset > 0) text += "&offset=" + std::to_string(options.offset);
  if (options.score_threshold.has_value()) {
    JsonWriter number;
    number.float32(*options.score_threshold);
    text += "&score_threshold=" + number.text();
  }
  if (options.hnsw_ef) text += "&ef=" + std::to_string(*options.hnsw_ef);
  if (options.exact) text += "&exact=true";
  if (options.with_payload) text += "&with_payload=true";
  if (options.with_vector) text += "&with_vector=true";
  if (options.filter.empty()) return text;
  JsonWriter json;
  write_filter(options.filter, &json);
  return text + "&filter=" + encode_segment(json.text());
}

}  // namespace lamina::protocol
