#include "support/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

namespace lamina::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kReadyPrefix = "listening on http://127.0.0.1:";
constexpr std::chrono::seconds kReadyPatience{60};

std::vector<std::string> command_line(const ServerProcessOptions& options,
                                      const std::filesystem::path& data_dir) {
  std::vector<std::string> words = {
      LAMINA_SERVER_BINARY, "--data-dir", data_dir.string(),           "--host",
      "127.0.0.1",          "--port",     std::to_string(options.port)};
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  return words;
}

// Runs in the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_server(char* const* arguments, int stdout_fd,
                                int stderr_fd, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent && dup2(stdout_fd, STDOUT_FILENO) >= 0 &&
      dup2(stderr_fd, STDERR_FILENO) >= 0) {
    execv(arguments[0], arguments);
  }
  _exit(127);
}

}  // namespace

Result<std::unique_ptr<ServerProcess>> ServerProcess::start(
    const ServerProcessOptions& options) {
  std::unique_ptr<ServerProcess> server(new ServerProcess);
  Status status = server->spawn(options);
  if (status.ok()) status = server->read_port();
  if (!status.ok()) return status;
  return server;
}

Result<ServerExit> ServerProcess::run(const ServerProcessOptions& options,
                                      std::chrono::milliseconds patience) {
  ServerProcess server;
  Status status = server.spawn(options);
  if (!status.ok()) return status;
  return server.wait(patience);
}

ServerProcess::~ServerProcess() {
  kill();
  if (stdout_ >= 0) close(stdout_);
}

std::string ServerProcess::url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

void ServerProcess::send_signal(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

Result<ServerExit> ServerProcess::wait(std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  int state = 0;
  while (waitpid(pid_, &state, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      kill();
      return Status::deadline_exceeded("lamina-server did not end; log: " +
                                       log());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  pid_ = -1;
  ServerExit ended;
  if (WIFEXITED(state)) ended.code = WEXITSTATUS(state);
  if (WIFSIGNALED(state)) ended.signal = WTERMSIG(state);
  ended.log = log();
  return ended;
}

Result<ServerExit> ServerProcess::terminate(
    std::chrono::milliseconds patience) {
  send_signal(SIGTERM);
  return wait(patience);
}

void ServerProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

Status ServerProcess::spawn(const ServerProcessOptions& options) {
  data_dir_ =
      options.data_dir.empty() ? scratch_.path() / "data" : options.data_dir;

  std::vector<std::string> words = command_line(options, data_dir_);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  std::array<int, 2> out{};
  if (pipe2(out.data(), O_CLOEXEC) != 0) return Status::io_error("no pipe");
  const int err = open((scratch_.path() / "stderr").c_str(),
                       O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become_server(arguments.data(), out[1], err, parent);
  close(out[1]);
  close(err);
  stdout_ = out[0];
  return pid_ > 0 ? Status() : Status::io_error("cannot fork");
}

Status ServerProcess::read_port() {
  const Clock::time_point deadline = Clock::now() + kReadyPatience;
  std::string text;
  while (text.find('\n') == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    pollfd readable{stdout_, POLLIN, 0};
    if (left.count() <= 0 ||
        poll(&readable, 1, static_cast<int>(left.count())) <= 0) {
      return Status::deadline_exceeded("lamina-server is not ready; log: " +
                                       log());
    }
    std::array<char, 256> bytes{};
    const ssize_t count = read(stdout_, bytes.data(), bytes.size());
    if (count <= 0) {
      Result<ServerExit> ended = wait(std::chrono::seconds(10));
      if (!ended.ok()) return ended.status();
      return Status::unavailable("lamina-server ended with code " +
                                 std::to_string(ended->code) +
                                 "; log: " + ended->log);
    }
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  const std::string_view line =
      std::string_view(text).substr(0, text.find('\n'));
  if (!line.starts_with(kReadyPrefix)) {
    return Status::internal("lamina-server said: " + text);
  }
  const std::string_view digits = line.substr(kReadyPrefix.size());
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), port_);
  return read.ec == std::errc() ? Status()
                                : Status::internal("no port in: " + text);
}

std::string ServerProcess::log() const {
  std::ifstream file(scratch_.path() / "stderr");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace lamina::test
