#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lamina/payload.h"
#include "lamina/point_id.h"
#include "protocol/message.h"
#include "protocol/payload_selector.h"

// Parts of a point, as the point and the query routes both have them. Internal
// to the protocol.
namespace lamina::protocol {

// There is one vector, and its name is "".
Status no_vector_named(std::string_view name);

// Appends a dense vector to `values`: an array of numbers, base64 of their
// bytes, or {"f32": base64}.
Status read_vector(const JsonValue& value, std::string_view path,
                   std::vector<float>* values);

Result<Payload> read_payload(const JsonValue& value, std::string_view path);

Result<PointId> read_point_id(const JsonValue& value, std::string_view path);

// "with_payload", and "with_vector" under both of its names. Absent fields
// leave the target as it is.
void read_with_payload(ObjectReader* object, PayloadSelector* selector);
void read_with_vector(ObjectReader* object, bool* with_vector);

// "payload" and "vector" of a point in a reply.
void read_parts(ObjectReader* object, std::optional<std::vector<float>>* vector,
                std::optional<Payload>* payload);
// Absent parts are left out; of the payload goes what `selector` leaves.
void write_parts(const std::optional<std::vector<float>>& vector,
                 const std::optional<Payload>& payload,
                 const PayloadSelector& selector, JsonWriter* json);

}  // namespace lamina::protocol
