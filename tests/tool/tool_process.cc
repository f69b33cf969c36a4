#include "tool/tool_process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace lamina::test {

ToolResult Tool::run(const std::vector<std::string>& arguments) {
  start(arguments);
  return wait();
}

std::string Tool::must(const std::vector<std::string>& arguments) {
  const ToolResult result = run(arguments);
  CAPTURE(arguments[0]);
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  return result.out;
}

void Tool::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {LAMINA_TOOL_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = path("stdout").string();
  const std::string err = path("stderr").string();
  const std::string directory = database().string();
  constexpr int kFlags = O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC;
  const int out_fd = ::open(out.c_str(), kFlags, 0600);
  const int err_fd = ::open(err.c_str(), kFlags, 0600);
  ::setenv("LAMINA_DIR", directory.c_str(), 1);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(out_fd, STDOUT_FILENO);
    ::dup2(err_fd, STDERR_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::close(out_fd);
  ::close(err_fd);
  REQUIRE(pid_ > 0);
}

void Tool::kill() { ::kill(pid_, SIGKILL); }

bool Tool::has_ended() {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid != 0;
}

ToolResult Tool::wait() {
  int state = 0;
  REQUIRE(::waitpid(pid_, &state, 0) == pid_);
  ToolResult result;
  if (WIFEXITED(state)) result.code = WEXITSTATUS(state);
  if (WIFSIGNALED(state)) result.signal = WTERMSIG(state);
  result.out = content(path("stdout"));
  result.err = content(path("stderr"));
  return result;
}

std::string Tool::file(const std::string& name,
                       std::string_view content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name).string();
}

std::string Tool::content(const std::filesystem::path& path) const {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream.is_open());
  std::string bytes(std::filesystem::file_size(path), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(stream.good());
  return bytes;
}

}  // namespace lamina::test
