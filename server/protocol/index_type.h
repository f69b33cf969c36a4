#pragma once

#include <string_view>

#include "lamina/options.h"
#include "lamina/result.h"

namespace lamina::protocol {

// The index type of a name: "keyword", "integer", ... `path` names the place in
// messages.
Result<PayloadIndexType> index_type_of(std::string_view name,
                                       std::string_view path);

}  // namespace lamina::protocol
