#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lamina/result.h"
#include "support/temporary_directory.h"

namespace lamina::test {

struct ServerProcessOptions {
  // Where its data lives. Empty: a temporary directory that goes with the
  // object.
  std::filesystem::path data_dir;
  // 0 picks a free port.
  std::uint16_t port = 0;
  // Further command line flags: "--durability", "fsync".
  std::vector<std::string> flags;
};

// How a server process ended.
struct ServerExit {
  int code = -1;    // Exit code; -1 when a signal ended it.
  int signal = 0;   // The signal that ended it; 0 when it exited.
  std::string log;  // What it wrote to stderr.
};

// The real lamina-server as a process of its own on 127.0.0.1.
//
// Start it from the test's main thread: the kernel ends the server together
// with the thread that started it, so that a failed test leaves none behind.
class ServerProcess {
 public:
  // Returns when the server listens.
  //   unavailable: it ended before that; the message holds exit code and log.
  //   deadline_exceeded: it was not ready in time.
  static Result<std::unique_ptr<ServerProcess>> start(
      const ServerProcessOptions& options = {});

  // Runs the program until it ends by itself, as it does when it cannot start.
  //   deadline_exceeded: it still ran after `patience`, and was killed.
  static Result<ServerExit> run(
      const ServerProcessOptions& options,
      std::chrono::milliseconds patience = std::chrono::seconds(30));

  // Kills the server if it still runs.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const;  // "http://127.0.0.1:PORT"
  pid_t pid() const { return pid_; }
  const std::filesystem::path& data_dir() const { return data_dir_; }

  void send_signal(int signal) const;

  // Waits for the process to end.
  //   deadline_exceeded: it still ran after `patience`, and was killed.
  Result<ServerExit> wait(std::chrono::milliseconds patience);

  // SIGTERM, then wait().
  Result<ServerExit> terminate(
      std::chrono::milliseconds patience = std::chrono::seconds(20));

  // SIGKILL, as a crash would be.
  void kill();

 private:
  ServerProcess() = default;
  Status spawn(const ServerProcessOptions& options);
  Status read_port();
  std::string log() const;

  TemporaryDirectory scratch_;  // The log, and data if no directory was given.
  std::filesystem::path data_dir_;
  std::uint16_t port_ = 0;
  pid_t pid_ = -1;   // -1 once it was reaped.
  int stdout_ = -1;  // Our end of its standard output.
};

}  // namespace lamina::test
