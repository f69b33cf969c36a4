#include "protocol/http_error.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "protocol/message.h"
#include "types/json_reader.h"
#include "types/json_writer.h"
#include "types/utf8.h"

namespace lamina::protocol {
namespace {

// One row per code: its HTTP status, and the words in front of its message.
struct CodeRow {
  StatusCode code;
  int http_status;
  std::string_view prefix;
  std::string_view slug;
};

constexpr std::string_view kInternalPrefix = "Service internal error: ";

constexpr CodeRow kCodes[] = {
    {StatusCode::invalid_argument, 400, "Wrong input: ", "invalid-argument"},
    {StatusCode::not_found, 404, "Not found: ", "not-found"},
    {StatusCode::already_exists, 409, "Wrong input: ", "already-exists"},
    {StatusCode::resource_exhausted, 507,
     "Insufficient storage: ", "resource-exhausted"},
    {StatusCode::unavailable, 503,
     "Shard temporarily unavailable: ", "unavailable"},
    {StatusCode::deadline_exceeded, 408,
     "Timeout error: ", "deadline-exceeded"},
    {StatusCode::cancelled, 500, kInternalPrefix, "cancelled"},
    {StatusCode::data_loss, 500, kInternalPrefix, "data-loss"},
    {StatusCode::io_error, 500, kInternalPrefix, "io-error"},
    {StatusCode::internal, 500, kInternalPrefix, "internal"},
};

// Input that could not be read, or is out of its range.
constexpr std::string_view kBodyFormatPrefix = "Format error in JSON body: ";
constexpr std::string_view kQueryFormatPrefix =
    "Deserialize error in query parameters: ";
constexpr std::string_view kBodyRangePrefix = "Validation error in JSON body: ";
constexpr std::string_view kQueryRangePrefix =
    "Validation error in query parameters: ";
constexpr int kUnprocessable = 422;

// The engine's name of an input field, and where JSON has it.
struct FieldRow {
  std::string_view field;
  std::string_view json_path;
};

constexpr FieldRow kFields[] = {
    {"dimension", "vectors.size"},
    {"top_k", "internal.limit"},
    {"offset", "internal.offset"},
    {"limit", "limit"},
};

std::string_view to_json_path(std::string_view field) {
  for (const FieldRow& row : kFields) {
    if (row.field == field) return row.json_path;
  }
  return field;
}

std::string_view to_field(std::string_view json_path) {
  for (const FieldRow& row : kFields) {
    if (row.json_path == json_path) return row.field;
  }
  return json_path;
}

const CodeRow& row_of(StatusCode code) {
  for (const CodeRow& row : kCodes) {
    if (row.code == code) return row;
  }
  return kCodes[std::size(kCodes) - 1];
}

std::string_view invalid_argument_prefix(ErrorOrigin origin) {
  switch (origin) {
    case ErrorOrigin::request_body:
      return kBodyFormatPrefix;
    case ErrorOrigin::query_parameters:
      return kQueryFormatPrefix;
    case ErrorOrigin::engine:
      break;
  }
  return row_of(StatusCode::invalid_argument).prefix;
}

HttpError range_error(const Status& status, ErrorOrigin origin) {
  const bool in_query = origin == ErrorOrigin::query_parameters;
  std::string text(in_query ? kQueryRangePrefix : kBodyRangePrefix);
  text += '[';
  text += to_json_path(status.field());
  text += ": " + status.message() + ']';
  return {kUnprocessable, std::move(text)};
}

// Takes `prefix` off the front of `text`, when it is there.
bool strip(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// "[limit: value 0 invalid]" back to field and message.
std::optional<Status> parse_range_error(std::string_view text) {
  if (!strip(kBodyRangePrefix, &text) && !strip(kQueryRangePrefix, &text)) {
    return std::nullopt;
  }
  const std::size_t colon = text.find(": ");
  if (!text.starts_with('[') || !text.ends_with(']') ||
      colon == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view path = text.substr(1, colon - 1);
  const std::string_view message =
      text.substr(colon + 2, text.size() - colon - 3);
  return Status::invalid_field(std::string(to_field(path)),
                               std::string(message));
}

std::optional<StatusCode> code_named(std::string_view name) {
  for (const CodeRow& row : kCodes) {
    if (to_string(row.code) == name) return row.code;
  }
  return std::nullopt;
}

// For servers that do not name the code.
StatusCode code_of(int http_status) {
  switch (http_status) {
    case 413:
    case 429:
      return StatusCode::resource_exhausted;
    case 502:
      return StatusCode::unavailable;
    case 504:
      return StatusCode::deadline_exceeded;
    case 500:
      return StatusCode::internal;
    default:
      break;
  }
  for (const CodeRow& row : kCodes) {
    if (row.http_status == http_status) return row.code;
  }
  const bool callers_fault = http_status >= 400 && http_status < 500;
  return callers_fault ? StatusCode::invalid_argument : StatusCode::internal;
}

std::string_view without_prefix(StatusCode code, std::string_view text) {
  if (strip(row_of(code).prefix, &text)) return text;
  if (code != StatusCode::invalid_argument) return text;
  if (!strip(kBodyFormatPrefix, &text)) strip(kQueryFormatPrefix, &text);
  return text;
}

// What stands at "status.error"; nothing when the body is not the envelope.
std::optional<std::string> envelope_error(std::string_view body) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok() || document->root().kind() != JsonKind::object) {
    return std::nullopt;
  }
  ObjectReader envelope(document->root(), "");
  const JsonValue* status = envelope.find("status");
  if (status == nullptr || status->kind() != JsonKind::object) {
    return std::nullopt;
  }
  ObjectReader reader(*status, "status");
  const JsonValue* error = reader.find("error");
  if (error == nullptr || error->kind() != JsonKind::string) {
    return std::nullopt;
  }
  return std::string(error->string());
}

// "Not found" for "not-found".
std::string title_of(std::string_view slug) {
  std::string title(slug);
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  std::replace(title.begin(), title.end(), '-', ' ');
  return title;
}

std::string_view text_member(const JsonValue& object, std::string_view name) {
  const std::optional<JsonValue> value = object.find(name);
  const bool is_text = value.has_value() && value->kind() == JsonKind::string;
  return is_text ? value->string() : std::string_view();
}

// A problem by RFC 9457, when the body is one.
std::optional<Status> parse_problem(StatusCode code, std::string_view body) {
  const Result<JsonDocument> document = parse_message(body);
  if (!document.ok() || document->root().kind() != JsonKind::object) {
    return std::nullopt;
  }
  const JsonValue root = document->root();
  const std::string detail(text_member(root, "detail"));
  if (detail.empty() || text_member(root, "type").empty()) return std::nullopt;
  const std::string field(to_field(text_member(root, "field")));
  if (code == StatusCode::invalid_argument && !field.empty()) {
    return Status::invalid_field(field, detail);
  }
  return Status(code, detail);
}

std::string foreign_message(int http_status, std::string_view body) {
  constexpr std::size_t kMaxKeptBytes = 1024;
  std::string message = "HTTP status " + std::to_string(http_status);
  if (!body.empty()) {
    message += ": " + std::string(utf8_prefix(body, kMaxKeptBytes));
  }
  return message;
}

}  // namespace

HttpError to_http(const Status& status, ErrorOrigin origin) {
  assert(!status.ok());
  if (status.code() != StatusCode::invalid_argument) {
    const CodeRow& row = row_of(status.code());
    return {row.http_status, std::string(row.prefix) + status.message()};
  }
  if (!status.field().empty()) return range_error(status, origin);
  return {row_of(status.code()).http_status,
          std::string(invalid_argument_prefix(origin)) + status.message()};
}

Problem to_problem(const Status& status, ErrorOrigin origin) {
  const CodeRow& row = row_of(status.code());
  if (status.code() != StatusCode::invalid_argument) {
    return {row.http_status, row.slug};
  }
  if (!status.field().empty()) return {kUnprocessable, "out-of-range"};
  switch (origin) {
    case ErrorOrigin::request_body:
      return {row.http_status, "malformed-body"};
    case ErrorOrigin::query_parameters:
      return {row.http_status, "malformed-query"};
    case ErrorOrigin::engine:
      break;
  }
  return {row.http_status, row.slug};
}

std::string encode_problem(const Problem& problem, const Status& status) {
  JsonWriter json;
  json.begin_object();
  json.key("type").string("/problems/" + std::string(problem.slug));
  json.key("title").string(title_of(problem.slug));
  json.key("status").uint64(static_cast<std::uint64_t>(problem.status));
  json.key("detail").string(status.message());
  json.key("code").string(to_string(status.code()));
  if (!status.field().empty()) {
    json.key("field").string(to_json_path(status.field()));
  }
  json.end_object();
  return json.take();
}

std::string encode_error_reply(std::string_view text, double seconds) {
  JsonWriter json;
  json.begin_object().key("status").begin_object();
  json.key("error").string(text).end_object();
  json.key("time").float64(seconds).end_object();
  return json.take();
}

Status from_http(int http_status, std::string_view status_header,
                 std::string_view body) {
  const StatusCode code =
      code_named(status_header).value_or(code_of(http_status));
  const std::optional<std::string> text = envelope_error(body);
  if (!text.has_value()) {
    return parse_problem(code, body)
        .value_or(Status(code, foreign_message(http_status, body)));
  }
  if (http_status == kUnprocessable) {
    const std::optional<Status> out_of_range = parse_range_error(*text);
    if (out_of_range.has_value()) return *out_of_range;
  }
  return {code, std::string(without_prefix(code, *text))};
}

}  // namespace lamina::protocol
