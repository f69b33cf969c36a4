#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lamina/point_id.h"

// The words of the wire contract: where things are, what headers are called,
// and how much a message may hold. Server and client both take them from here.
namespace lamina::protocol {

inline constexpr std::string_view kJsonContentType =
    "application/json; charset=utf-8";
inline constexpr std::string_view kTextContentType =
    "text/plain; charset=utf-8";

// The Qdrant API version that the JSON routes follow.
inline constexpr std::string_view kApiVersion = "1.18.0";

// Request header on writes: "os" or "fsync".
inline constexpr std::string_view kDurabilityHeader = "Lamina-Durability";
// Response header on writes: "true" when the record is known to be on the disk.
inline constexpr std::string_view kDurableHeader = "Lamina-Durable";
// Request header, with any value: the answer tells in Server-Timing what took
// how long.
inline constexpr std::string_view kTimingHeader = "Lamina-Timing";
// Request header: the key that lets the caller in. As good as it is
// "Authorization: Bearer KEY".
inline constexpr std::string_view kApiKeyHeader = "api-key";
// Request header: names the request in the server's log.
inline constexpr std::string_view kRequestIdHeader = "X-Request-Id";
// Response header on errors: the StatusCode's name, which an HTTP status alone
// does not tell.
inline constexpr std::string_view kStatusHeader = "Lamina-Status";

inline constexpr std::size_t kMaxBodyBytes = 32u << 20;

// One path segment: everything but unreserved characters percent-encoded.
std::string encode_segment(std::string_view text);

// Decodes %XX once. Empty result text on a malformed escape is not possible:
// `ok` tells.
bool decode_segment(std::string_view text, std::string* decoded);

// "/collections/<name>", the name percent-encoded.
std::string collection_path(std::string_view name);
// "/collections/<name>/points" and what is below it.
std::string points_path(std::string_view name, std::string_view below = "");
std::string point_path(std::string_view name, const PointId& id);
// "/collections/<name>/facet"
std::string facet_path(std::string_view name);
// "/collections/<name>/index", and with "/<key>", percent-encoded.
std::string index_path(std::string_view name);
std::string index_path(std::string_view name, std::string_view key);
// "/v1/collections/<name>" and what is below it.
std::string own_path(std::string_view name, std::string_view below);
// "/v1/collections/<name>/flush"
std::string flush_path(std::string_view name);

}  // namespace lamina::protocol
