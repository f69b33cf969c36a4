// Negative controls: the suites are worth nothing if a broken engine passes
// them.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fault/trials.h"

extern "C" char** environ;

namespace lamina::fault {
namespace {

// Runs a program without its output; its exit code, or -1 when it was killed.
int run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {1, 2}) {
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null",
                                       O_WRONLY, 0);
  }
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, arguments[0], &actions, nullptr,
                                   arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Report mutant_trials(const TrialOptions& options) {
  Report report("faults built in");
  report.add("faults", 0);
  std::ifstream list(options.mutants);
  if (!list) report.violation("no such file: " + options.mutants.string());
  // Each line: what the fault is, the suite that must catch it, how many trials
  // that gets, and the program.
  std::string what;
  std::string suite;
  std::string trials;
  std::string program;
  while (std::getline(list, what, '\t') && std::getline(list, suite, '\t') &&
         std::getline(list, trials, '\t') && std::getline(list, program)) {
    report.add("faults", 1);
    const int code =
        run({program, suite, "--trials", trials, "--stop-at-first"});
    if (code == 1) {
      report.add("caught by the suite `" + suite + "`", 1);
    } else {
      report.violation(what + ": " + suite + " ended with " +
                       std::to_string(code));
    }
  }
  return report;
}

}  // namespace lamina::fault
