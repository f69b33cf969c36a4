#include "request_log.h"

#include <algorithm>
#include <chrono>

namespace lamina::server {
namespace {

bool is_lower_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

bool is_id_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
}

void write_request(LogLevel level, std::string_view event, const Call& call,
                   const Route& route, const Reply& reply,
                   std::chrono::nanoseconds took) {
  const Request& request = call.request();
  call.state().log.write(
      level, event,
      {{"method", route.method},
       {"route", route.pattern},
       {"collection", std::string_view(call.collection_name)},
       {"status", static_cast<std::uint64_t>(reply.status)},
       {"ms", std::chrono::duration<double, std::milli>(took).count()},
       {"bytes_in", std::uint64_t{request.body.size()}},
       {"bytes_out", std::uint64_t{reply.body.size()}},
       {"request_id", request_id_of(request)},
       {"trace_id", trace_id_of(request)}});
}

}  // namespace

std::string_view request_id_of(const Request& request) {
  const std::string_view id = request.request_id;
  const bool well_formed =
      id.size() <= 128 && std::all_of(id.begin(), id.end(), is_id_char);
  return well_formed ? id : std::string_view();
}

// "00-" and 32 digits, then "-", 16 digits, "-", 2 digits; later versions may
// go on behind that.
std::string_view trace_id_of(const Request& request) {
  const std::string_view value = request.traceparent;
  if (value.size() < 55 || value[2] != '-' || value[35] != '-' ||
      value[52] != '-' || value.starts_with("ff")) {
    return {};
  }
  if (value.size() > 55 && (value.starts_with("00") || value[55] != '-')) {
    return {};
  }
  const std::string_view trace = value.substr(3, 32);
  const bool well_formed =
      is_lower_hex(value.substr(0, 2)) && is_lower_hex(trace) &&
      is_lower_hex(value.substr(36, 16)) && is_lower_hex(value.substr(53, 2)) &&
      trace.find_first_not_of('0') != std::string_view::npos;
  return well_formed ? trace : std::string_view();
}

void log_request(const Call& call, const Route& route, const Reply& reply,
                 std::chrono::nanoseconds took) {
  const ServerState& state = call.state();
  if (state.log.writes(LogLevel::debug)) {
    write_request(LogLevel::debug, "request", call, route, reply, took);
  }
  if (state.slow.count() > 0 && took >= state.slow) {
    write_request(LogLevel::warning, "slow-request", call, route, reply, took);
  }
}

}  // namespace lamina::server
