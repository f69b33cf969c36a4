#pragma once

#include <string>

#include "request_head.h"

namespace lamina::server {

// Appends the whole response to a request that is not served: status line,
// headers, among them "Connection: close", and the JSON of an error.
void append_refusal(const Refusal& refusal, std::string* response);

}  // namespace lamina::server
