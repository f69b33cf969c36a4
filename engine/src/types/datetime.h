#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lamina {

// Microseconds since 1970-01-01T00:00:00Z of a time by RFC 3339, with 'T' or a
// space before the hour. Seconds may be left out, or the whole time of day, and
// without an offset the time is in UTC. Digits beyond the microsecond are
// dropped; second 60 counts as the first of the next minute. Nothing when the
// text is no such time.
std::optional<std::int64_t> parse_datetime(std::string_view text);

}  // namespace lamina
