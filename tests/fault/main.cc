// storage_trials SUITE [--trials N] [--seed N] [--json FILE] [--stop-at-first]
//                [--mutants FILE]
//
// Runs one suite of trials and tells what it counted. The exit code is 0 when
// no promise was broken, 1 when one was, 2 when the arguments are wrong.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "fault/trials.h"

namespace {

namespace fault = lamina::fault;

struct Suite {
  std::string_view name;
  fault::Report (*run)(const fault::TrialOptions& options);
  std::uint64_t trials;  // Unless told otherwise: what a few seconds allow.
};

constexpr Suite kSuites[] = {
    {"crash", fault::crash_trials, 80},
    {"power", fault::power_trials, 300},
    {"errors", fault::io_error_trials, 50},
    {"damage", fault::damage_trials, 1'500},
    {"allocations", fault::allocation_trials, 400},
    {"churn", fault::churn_trials, 10},
    {"mutants", fault::mutant_trials, 1},
};

int usage() {
  std::fputs(
      "usage: storage_trials SUITE [--trials N] [--seed N] [--json FILE]\n"
      "                      [--stop-at-first] [--mutants FILE]\n"
      "suites:",
      stderr);
  for (const Suite& suite : kSuites) {
    std::fprintf(stderr, " %s", suite.name.data());
  }
  std::fputc('\n', stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage();
  const Suite* chosen = nullptr;
  for (const Suite& suite : kSuites) {
    if (suite.name == argv[1]) chosen = &suite;
  }
  if (chosen == nullptr) return usage();
  fault::TrialOptions options;
  options.trials = chosen->trials;
  const char* json = nullptr;
  for (int i = 2; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--stop-at-first") {
      options.stop_at_first = true;
      continue;
    }
    if (++i == argc) return usage();
    if (option == "--trials") {
      options.trials = std::strtoull(argv[i], nullptr, 10);
    } else if (option == "--seed") {
      options.seed = std::strtoull(argv[i], nullptr, 10);
    } else if (option == "--json") {
      json = argv[i];
    } else if (option == "--mutants") {
      options.mutants = argv[i];
    } else {
      return usage();
    }
  }
  const fault::Report report = chosen->run(options);
  std::fputs(report.text().c_str(), stdout);
  if (json != nullptr) std::ofstream(json) << report.json() << '\n';
  return report.violations() == 0 ? 0 : 1;
}
