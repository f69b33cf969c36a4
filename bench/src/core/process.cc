#include "core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <thread>
#include <utility>

extern char** environ;

namespace lamina::bench {
namespace {

constexpr int kCannotRun = 127;

std::vector<std::string> child_environment(std::size_t padding) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry)
    variables.emplace_back(*entry);
  // Spinning helper threads would take the CPU of the process being measured.
  for (const char* fixed : {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
                            "OMP_WAIT_POLICY=PASSIVE"})
    variables.emplace_back(fixed);
  variables.push_back("LAMINA_BENCH_PADDING=" + std::string(padding, 'x'));
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// Between fork and exec: system calls only, no memory is taken.
[[noreturn]] void become(const std::vector<char*>& arguments,
                         const std::vector<char*>& environment, int output,
                         std::optional<int> cpu) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(*cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) _exit(kCannotRun);
  }
  dup2(output, STDOUT_FILENO);
  execve(arguments[0], arguments.data(), environment.data());
  _exit(kCannotRun);
}

int exit_code(int wait_status) {
  if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
  return 128 + WTERMSIG(wait_status);
}

}  // namespace

Result<ChildProcess> ChildProcess::spawn(const SpawnOptions& options) {
  std::vector<std::string> arguments = options.arguments;
  std::vector<std::string> environment =
      child_environment(options.environment_padding);
  const std::vector<char*> argument_list = pointers(arguments);
  const std::vector<char*> environment_list = pointers(environment);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return Status::io_error(std::string("pipe: ") + std::strerror(errno));
  }
  const pid_t pid = fork();
  if (pid == 0) become(argument_list, environment_list, ends[1], options.cpu);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return Status::io_error(std::string("fork: ") + std::strerror(errno));
  }
  return ChildProcess(pid, ends[0]);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      pending_(std::move(other.pending_)) {}

ChildProcess::~ChildProcess() {
  stop();
  if (output_ >= 0) close(output_);
}

Result<std::string> ChildProcess::read_line(
    std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    if (const auto stop = pending_.find('\n'); stop != std::string::npos) {
      std::string line = pending_.substr(0, stop);
      pending_.erase(0, stop + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd readable{output_, POLLIN, 0};
    if (left.count() <= 0 ||
        poll(&readable, 1, static_cast<int>(left.count())) == 0) {
      return Status::deadline_exceeded("process " + std::to_string(pid_) +
                                       " printed nothing in time");
    }
    char buffer[4096];
    const ssize_t got = read(output_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      return Status::unavailable("process " + std::to_string(pid_) +
                                 " ended its output");
    }
    pending_.append(buffer, static_cast<std::size_t>(got));
  }
}

int ChildProcess::wait() {
  if (pid_ < 0) return 0;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return exit_code(status);
}

int ChildProcess::stop() {
  if (pid_ < 0) return 0;
  kill(pid_, SIGTERM);
  for (int i = 0; i < 500; ++i) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return exit_code(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(pid_, SIGKILL);
  return wait();
}

std::string own_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "";
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

Result<int> port_of_listening_line(std::string_view line) {
  constexpr std::string_view kStart = "listening on http://127.0.0.1:";
  int port = 0;
  if (line.starts_with(kStart)) {
    line.remove_prefix(kStart.size());
    const auto read =
        std::from_chars(line.data(), line.data() + line.size(), port);
    if (read.ec == std::errc() && read.ptr == line.data() + line.size())
      return port;
  }
  return Status::internal("expected \"" + std::string(kStart) +
                          "PORT\", not \"" + std::string(line) + "\"");
}

}  // namespace lamina::bench
