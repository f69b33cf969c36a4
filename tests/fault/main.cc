// storage_trials SUITE [--trials N] [--seed N] [--json FILE] [--stop-at-first]
//                [--mutants FILE]
// storage_trials soak --json FILE --mutants FILE [--trials KILLS]
// storage_trials page JSON PAGE [--check]
//
// Runs one suite of trials, or all of them for long, and tells what was
// counted; or makes a page of that. The exit code is 0 when no promise was
// broken, 1 when one was, 2 when the arguments are wrong.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "fault/soak.h"
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
    {"errors", fault::io_error_trials, 20},
    {"damage", fault::damage_trials, 1'500},
    {"allocations", fault::allocation_trials, 400},
    {"churn", fault::churn_trials, 10},
    {"mutants", fault::mutant_trials, 1},
};

constexpr std::uint64_t kSoakKills = 7'500;

int usage() {
  std::fputs(
      "usage: storage_trials SUITE [--trials N] [--seed N] [--json FILE]\n"
      "                      [--stop-at-first] [--mutants FILE]\n"
      "       storage_trials soak --json FILE --mutants FILE [--trials KILLS]\n"
      "       storage_trials page JSON PAGE [--check]\n"
      "suites:",
      stderr);
  for (const Suite& suite : kSuites) {
    std::fprintf(stderr, " %s", suite.name.data());
  }
  std::fputc('\n', stderr);
  return 2;
}

struct Arguments {
  fault::TrialOptions options;
  const char* json = nullptr;
};

// False when they are wrong.
bool parse(int argc, char** argv, Arguments* arguments) {
  for (int i = 2; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--stop-at-first") {
      arguments->options.stop_at_first = true;
      continue;
    }
    if (++i == argc) return false;
    if (option == "--trials") {
      arguments->options.trials = std::strtoull(argv[i], nullptr, 10);
    } else if (option == "--seed") {
      arguments->options.seed = std::strtoull(argv[i], nullptr, 10);
    } else if (option == "--json") {
      arguments->json = argv[i];
    } else if (option == "--mutants") {
      arguments->options.mutants = argv[i];
    } else {
      return false;
    }
  }
  return true;
}

int make_page(int argc, char** argv) {
  const bool check = argc == 5 && std::string_view(argv[4]) == "--check";
  if (argc != 4 && !check) return usage();
  const lamina::Status status = fault::write_page(argv[2], argv[3], check);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

int run_soak(int argc, char** argv) {
  Arguments arguments;
  arguments.options.trials = kSoakKills;
  if (!parse(argc, argv, &arguments) || arguments.json == nullptr) {
    return usage();
  }
  return fault::soak(arguments.options, arguments.json) == 0 ? 0 : 1;
}

int run_suite(const Suite& suite, int argc, char** argv) {
  Arguments arguments;
  arguments.options.trials = suite.trials;
  if (!parse(argc, argv, &arguments)) return usage();
  const fault::Report report = suite.run(arguments.options);
  std::fputs(report.text().c_str(), stdout);
  if (arguments.json != nullptr) {
    std::ofstream(arguments.json) << report.json() << '\n';
  }
  return report.violations() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage();
  const std::string_view command = argv[1];
  if (command == "page") return make_page(argc, argv);
  if (command == "soak") return run_soak(argc, argv);
  for (const Suite& suite : kSuites) {
    if (suite.name == command) return run_suite(suite, argc, argv);
  }
  return usage();
}
