#pragma once

#include <string_view>

#include "lamina/filter.h"
#include "lamina/result.h"
#include "types/json_reader.h"
#include "types/json_writer.h"

// The "filter" of a request. Internal to the protocol.
namespace lamina::protocol {

// Strict: a key that no condition has is an error, as is a condition that asks
// for nothing or for two things.
//   invalid_argument: with the JSON path of what is wrong, or what
//   validate_filter() says.
Result<Filter> read_filter(const JsonValue& value, std::string_view path);

// The filter must have passed validate_filter() and hold no predicate. What is
// written reads back as an equal filter.
void write_filter(const Filter& filter, JsonWriter* json);

}  // namespace lamina::protocol
