#pragma once

#include <optional>

#include "lamina/options.h"
#include "protocol/message.h"
#include "types/json_writer.h"

// "order_by" of a scroll, and the values of its records. Internal to the
// protocol.
namespace lamina::protocol {

// A path, or {"key", "direction"?, "start_from"?}. Absent leaves the target as
// it is.
void read_order_by(ObjectReader* object, std::optional<OrderBy>* order);
// Writes nothing when there is no order.
void write_order_by(const std::optional<OrderBy>& order, JsonWriter* json);

Result<where::Number> read_number(const JsonValue& value,
                                  std::string_view path);
void write_number(const where::Number& number, JsonWriter* json);

}  // namespace lamina::protocol
