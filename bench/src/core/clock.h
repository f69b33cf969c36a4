#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <string>

#include "lamina/result.h"

namespace lamina::bench {

using Nanoseconds = std::uint64_t;

// Wall time since some fixed moment. About 25 ns a call: no system call.
Nanoseconds wall_now();

// CPU time of all threads of this process. A real system call, so it is read
// at the edges of a block only, never around single calls.
Nanoseconds cpu_now();

// "2024-01-31T12:00:00Z"
std::string utc_now();

// Holds the CPU for `duration`: a known cost to find again.
void spin(Nanoseconds duration);

// The CPU clock of another process, all of its threads.
//
// Thread safety: a value.
class ProcessCpuClock {
 public:
  //   unavailable: no such process.
  static Result<ProcessCpuClock> of(pid_t pid);

  Nanoseconds now() const;

 private:
  explicit ProcessCpuClock(clockid_t id) : id_(id) {}
  clockid_t id_;
};

}  // namespace lamina::bench
