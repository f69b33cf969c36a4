#include "core/clock.h"

#include <ctime>
#include <string>

namespace lamina::bench {
namespace {

Nanoseconds read_clock(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000u +
         static_cast<Nanoseconds>(time.tv_nsec);
}

}  // namespace

Nanoseconds wall_now() { return read_clock(CLOCK_MONOTONIC); }

Nanoseconds cpu_now() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void spin(Nanoseconds duration) {
  const Nanoseconds end = wall_now() + duration;
  while (wall_now() < end) {
  }
}

Result<ProcessCpuClock> ProcessCpuClock::of(pid_t pid) {
  clockid_t id{};
  if (clock_getcpuclockid(pid, &id) != 0) {
    return Status::unavailable("no CPU clock of process " +
                               std::to_string(pid));
  }
  return ProcessCpuClock(id);
}

Nanoseconds ProcessCpuClock::now() const { return read_clock(id_); }

}  // namespace lamina::bench
