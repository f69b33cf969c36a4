#pragma once

#include "lamina/selector.h"
#include "protocol/message.h"
#include "types/json_writer.h"

// "points" and "filter" of a write: which points it is about. Internal to the
// protocol.
namespace lamina::protocol {

// Exactly one of the two must be there. A filter without conditions is all
// points.
void read_selector(ObjectReader* object, Selector* selector);

// Writes the field. The selector must have passed validate_selector().
void write_selector(const Selector& selector, JsonWriter* json);

// "filter" of a read, where it may be absent.
void read_filter_field(ObjectReader* object, Filter* filter);
// The same under another name.
void read_filter_field(ObjectReader* object, std::string_view name,
                       Filter* filter);
// Writes nothing for a filter without conditions.
void write_filter_field(const Filter& filter, JsonWriter* json);

}  // namespace lamina::protocol
