#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// JSON of the routes about the server itself. Encoders write the whole
// envelope, with `seconds` as its "time".
namespace lamina::protocol {

// GET /cluster: there is one node.
std::string encode_cluster_reply(double seconds);

// GET /issues: never any.
std::string encode_issues_reply(double seconds);

// GET /collections/{c}/optimizations: never anything to do.
std::string encode_optimizations_reply(double seconds);

// GET /telemetry. `started` is a time by RFC 3339.
std::string encode_telemetry_reply(std::string_view started,
                                   std::size_t collection_count,
                                   double seconds);

}  // namespace lamina::protocol
