#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_directory.h"

namespace lamina::test {

// How a run of the program ended.
struct ToolResult {
  int code = -1;    // Exit code; -1 when a signal ended it.
  int signal = 0;   // The signal that ended it; 0 when it exited.
  std::string out;  // What it wrote to stdout and to stderr.
  std::string err;
};

// The real `lamina` as a process, on a database in a directory of its own that
// goes with the object.
//
// Thread safety: one thread at a time.
class Tool {
 public:
  // Runs it to its end.
  ToolResult run(const std::vector<std::string>& arguments);
  // As run(); the test fails unless it exits with 0. Returns its stdout.
  std::string must(const std::vector<std::string>& arguments);

  // Starts it; wait() must follow.
  void start(const std::vector<std::string>& arguments);
  void kill();
  bool has_ended();
  ToolResult wait();

  std::filesystem::path database() const { return path("db"); }
  std::filesystem::path path(const std::string& name) const {
    return directory_.path() / name;
  }
  // Writes a file there and returns its path.
  std::string file(const std::string& name, std::string_view content) const;
  std::string content(const std::filesystem::path& path) const;

 private:
  TemporaryDirectory directory_;
  pid_t pid_ = -1;
};

}  // namespace lamina::test
