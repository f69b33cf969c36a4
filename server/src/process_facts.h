#pragma once

#include <cstdint>
#include <string_view>

// What the kernel says of this process.
namespace lamina::server {

// A number of /proc/self/status, such as "VmRSS" in KiB, or 0.
std::uint64_t process_status(std::string_view field);

// Seconds of processor time, in our code and in the kernel for it.
double process_cpu_seconds();

std::uint64_t process_open_files();
// 0 when there is no limit.
std::uint64_t process_max_files();

}  // namespace lamina::server
