#include "process_facts.h"

#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lamina::server {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

std::uint64_t process_status(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(field)) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    if (digits == std::string::npos) return 0;
    return std::strtoull(line.c_str() + digits, nullptr, 10);
  }
  return 0;
}

double process_cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

std::uint64_t process_open_files() {
  std::error_code failed;
  const auto files =
      std::filesystem::directory_iterator("/proc/self/fd", failed);
  if (failed) return 0;
  // The directory itself is open meanwhile.
  return static_cast<std::uint64_t>(std::distance(begin(files), end(files))) -
         1;
}

std::uint64_t process_max_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? 0 : limit.rlim_cur;
}

}  // namespace lamina::server
