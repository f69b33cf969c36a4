#pragma once

#include <string>

#include "lamina/version.h"

namespace lamina::server {

// Value of the Server header: "lamina/0.1.0".
inline const std::string kServerName = "lamina/" + std::string(kVersion);

}  // namespace lamina::server
