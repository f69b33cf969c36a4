#pragma once

#include <functional>
#include <string_view>

#include "lamina/result.h"
#include "routes/call.h"

namespace lamina::server {

// Which query parameters a route looks at.
//   read   consistency, timeout
//   write  wait, ordering, timeout
//   admin  timeout
enum class ParameterSet { none, read, write, admin };

// Reads what stands behind '?'. Parameters that the set does not name are
// passed over.
//   invalid_argument: a value is malformed, or out of its range.
Result<QueryParameters> parse_query_parameters(std::string_view query,
                                               ParameterSet set);

// Hands each parameter, decoded, to `take`, until one is refused.
//   invalid_argument: a percent-escape is malformed, or as `take` says.
Status for_each_parameter(
    std::string_view query,
    const std::function<Status(std::string_view name, std::string_view value)>&
        take);

}  // namespace lamina::server
