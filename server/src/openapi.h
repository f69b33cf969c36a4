#pragma once

#include <string_view>

namespace lamina::server {

// server/openapi.json: what the routes are, for programs.
std::string_view openapi();

}  // namespace lamina::server
