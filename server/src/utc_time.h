#pragma once

#include <chrono>
#include <string>

namespace lamina::server {

// "2026-05-01T12:00:00.123Z"
std::string rfc3339(std::chrono::system_clock::time_point time);

}  // namespace lamina::server
