// fuzz_trials TARGET [--runs N] [--seed N]
// fuzz_trials TARGET FILE...
//
// Gives a target its seeds, then inputs made of them by blind changes; or
// inputs from files. The same arguments give the same inputs. A program that
// libFuzzer drives has the same targets (libfuzzer.cc); this one needs no
// special compiler.
//
// When something does not hold the process ends by a signal, and the input is
// in the file failing-input.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "fuzz/change.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace {

namespace fuzz = lamina::fuzz;

constexpr std::uint64_t kRuns = 2'000;
// Changes stacked on one another before a seed is taken again.
constexpr std::uint64_t kRunsPerSeed = 8;

std::string_view current_input;

extern "C" void keep_input(int signal) {
  const int file = ::open("failing-input", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) {
    [[maybe_unused]] const ssize_t written =
        ::write(file, current_input.data(), current_input.size());
    ::close(file);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const fuzz::Target& target, const std::string& input) {
  // A copy of its own and no byte longer, so that a read beyond it shows.
  const auto bytes = std::make_unique<char[]>(input.size());
  std::ranges::copy(input, bytes.get());
  current_input = {bytes.get(), input.size()};
  target.run(current_input);
}

void run_changed(const fuzz::Target& target, std::uint64_t runs,
                 std::uint64_t seed) {
  const std::vector<std::string> seeds = target.seeds();
  for (const std::string& input : seeds) run(target, input);
  run(target, "");
  fuzz::Random random(seed);
  fuzz::BlindChanges change(&random, target.words, seeds);
  std::string input;
  for (std::uint64_t i = 0; i < runs; ++i) {
    if (i % kRunsPerSeed == 0) input = seeds[random.below(seeds.size())];
    if (target.change != nullptr) {
      target.change(&random, change, &input);
    } else {
      change(&input);
    }
    if (input.size() > target.most_bytes) input.resize(target.most_bytes);
    run(target, input);
  }
  std::printf("%s: %zu seeds and %llu changed inputs\n", target.name.data(),
              seeds.size(), static_cast<unsigned long long>(runs));
}

int usage() {
  std::fputs(
      "usage: fuzz_trials TARGET [--runs N] [--seed N]\n"
      "       fuzz_trials TARGET FILE...\n"
      "targets:",
      stderr);
  for (const fuzz::Target& target : fuzz::targets()) {
    std::fprintf(stderr, " %s", target.name.data());
  }
  std::fputc('\n', stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const fuzz::Target* target = argc > 1 ? fuzz::find_target(argv[1]) : nullptr;
  if (target == nullptr) return usage();
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(signal, keep_input);
  }
  if (argc > 2 && argv[2][0] != '-') {
    for (int i = 2; i < argc; ++i) run(*target, fuzz::read_whole(argv[i]));
    return 0;
  }
  std::uint64_t runs = kRuns;
  std::uint64_t seed = 1;
  for (int i = 2; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 == argc || (option != "--runs" && option != "--seed")) {
      return usage();
    }
    (option == "--runs" ? runs : seed) =
        std::strtoull(argv[i + 1], nullptr, 10);
  }
  run_changed(*target, runs, seed);
  return 0;
}
