#pragma once

#include <string_view>

#include "route_table.h"
#include "routes/call.h"

namespace lamina::server {

// Writes of an answered request what the log wants to know: every one at level
// debug, and as a warning one that took as long as --slow-query-ms says.
void log_request(const Call& call, const Route& route, const Reply& reply,
                 std::chrono::nanoseconds took);

// The value of X-Request-Id, should it be 1 to 128 characters of
// [A-Za-z0-9._-]; else nothing.
std::string_view request_id_of(const Request& request);

// The trace's id in traceparent of W3C Trace Context: 32 hexadecimal digits;
// else nothing.
std::string_view trace_id_of(const Request& request);

}  // namespace lamina::server
