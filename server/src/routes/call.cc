#include "routes/call.h"

#include <charconv>
#include <utility>

#include "protocol/media_type.h"
#include "protocol/paths.h"
#include "protocol/points_json.h"

namespace lamina::server {
namespace {

void append_duration(std::string_view stage, std::chrono::nanoseconds took,
                     std::string* text) {
  char digits[32];
  const double ms = std::chrono::duration<double, std::milli>(took).count();
  const auto written = std::to_chars(std::begin(digits), std::end(digits), ms,
                                     std::chars_format::fixed, 4);
  if (!text->empty()) *text += ", ";
  text->append(stage).append(";dur=").append(digits, written.ptr);
}

}  // namespace

Result<std::shared_ptr<Collection>> Call::open_collection() const {
  if (request_.wants_timing && !parsed_) parsed_ = Clock::now();
  Result<std::shared_ptr<Collection>> opened =
      store_.open_collection(collection_name);
  if (opened.status().code() != StatusCode::not_found) return opened;
  const std::optional<std::string> target =
      catalog().find_alias(collection_name);
  return target.has_value() ? store_.open_collection(*target) : opened;
}

double Call::seconds() const {
  const Clock::time_point now = Clock::now();
  if (request_.wants_timing) answered_ = now;
  return std::chrono::duration<double>(now - began_).count();
}

std::string Call::server_timing() const {
  const Clock::time_point now = Clock::now();
  const Clock::time_point answered = answered_.value_or(now);
  const Clock::time_point parsed = parsed_.value_or(answered);
  std::string text;
  append_duration("parse", parsed - began_, &text);
  append_duration("engine", answered - parsed, &text);
  append_duration("encode", now - answered, &text);
  append_duration("total", now - began_, &text);
  return text;
}

Reply Call::json(std::string body) const {
  Reply reply;
  reply.content_type = protocol::kJsonContentType;
  reply.body = std::move(body);
  return reply;
}

Reply Call::written(const UpdateResult& result) const {
  Reply reply =
      json(protocol::encode_update_reply(result, parameters.wait, seconds()));
  reply.headers.emplace_back(protocol::kDurableHeader,
                             result.durable ? "true" : "false");
  return reply;
}

// What went wrong below is for who runs the server. The names of its files, or
// what a library says, are nobody else's business.
Status Call::tell(const Status& status) const {
  const int http_status =
      protocol::to_problem(status, protocol::ErrorOrigin::engine).status;
  const bool names_file =
      http_status >= 500 && status.message().find('/') != std::string::npos;
  if (names_file || http_status == 500) {
    state_.log.write(LogLevel::error, "request-failed",
                     {{"collection", std::string_view(collection_name)},
                      {"error", status.to_string()}});
  }
  return names_file ? Status(status.code(), "the server's log tells more")
                    : status;
}

Reply Call::error(const Status& failure, protocol::ErrorOrigin origin) const {
  const Status status = tell(failure);
  if (is_own) return refuse(protocol::to_problem(status, origin), status);
  const protocol::HttpError error = protocol::to_http(status, origin);
  Reply reply = json(protocol::encode_error_reply(error.text, seconds()));
  reply.status = error.status;
  reply.headers.emplace_back(protocol::kStatusHeader, to_string(status.code()));
  return reply;
}

Reply Call::refuse(const protocol::Problem& problem,
                   const Status& status) const {
  Reply reply;
  if (is_own) {
    reply.content_type = protocol::kProblemMedia;
    reply.body = protocol::encode_problem(problem, status);
    reply.headers.emplace_back(protocol::kStatusHeader,
                               to_string(status.code()));
  } else {
    reply = error(status);
  }
  reply.status = problem.status;
  return reply;
}

}  // namespace lamina::server
