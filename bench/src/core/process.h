#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"

namespace lamina::bench {

struct SpawnOptions {
  std::vector<std::string> arguments;  // arguments[0] is the program's path
  // The only CPU it may run on; any when absent.
  std::optional<int> cpu;
  // Bytes added to its environment, so that where its stack starts differs from
  // one process to the next.
  std::size_t environment_padding = 0;
};

// A process that this one started, with its standard output on a pipe. BLAS and
// OpenMP are held to one thread in it.
//
// Thread safety: none; one thread at a time.
// Lifetime: the destructor ends the process. It also ends when ours does.
class ChildProcess {
 public:
  //   io_error: the system refused, or the program cannot be run.
  static Result<ChildProcess> spawn(const SpawnOptions& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }

  // The next line it prints, without the end of line.
  //   deadline_exceeded: none within `patience`.
  //   unavailable: it closed its output, most likely because it ended.
  Result<std::string> read_line(std::chrono::milliseconds patience);

  // Waits for it to end. The exit code, or 128 plus the signal's number.
  int wait();

  // Asks it to end (SIGTERM), insists after five seconds.
  int stop();

 private:
  ChildProcess(pid_t pid, int output) : pid_(pid), output_(output) {}

  pid_t pid_ = -1;   // -1 once it has been waited for
  int output_ = -1;  // Our end of the pipe
  std::string pending_;
};

// Path of the running program.
std::string own_program();

// CPUs that this process may use, ascending.
std::vector<int> allowed_cpus();

// The port in "listening on http://127.0.0.1:PORT".
//   internal: another line.
Result<int> port_of_listening_line(std::string_view line);

}  // namespace lamina::bench
