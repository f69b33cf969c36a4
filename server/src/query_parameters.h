#pragma once

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

}  // namespace lamina::server
