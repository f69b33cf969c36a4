#pragma once

#include <string_view>

namespace lamina::server {

// Value of the Server header.
inline constexpr std::string_view kServerName = "lamina/" LAMINA_SERVER_VERSION;

}  // namespace lamina::server
