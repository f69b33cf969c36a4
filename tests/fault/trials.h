#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// The suites of trials that hold the storage to its promises. Each counts what
// it tried and every promise that was broken.
namespace lamina::fault {

struct TrialOptions {
  // How many; what one is, each suite says.
  std::uint64_t trials = 0;
  std::uint64_t seed = 1;
  // End with the first violation: enough to catch a fault.
  bool stop_at_first = false;
  // Of mutants(): what tests/mutants made.
  std::filesystem::path mutants{};
};

class Report {
 public:
  explicit Report(std::string suite) : suite_(std::move(suite)) {}

  // In the order of the first add().
  void add(const std::string& what, std::uint64_t count);
  void violation(const std::string& what);

  std::uint64_t violations() const { return violations_; }
  // There must be one.
  const std::string& first_violation() const { return examples_.front(); }
  bool should_stop(const TrialOptions& options) const {
    return options.stop_at_first && violations_ > 0;
  }
  // One object.
  std::string json() const;
  // For people, of several lines.
  std::string text() const;

 private:
  std::string suite_;
  std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  std::vector<std::pair<std::string, std::uint64_t>> counts_;
  std::uint64_t violations_ = 0;
  std::vector<std::string> examples_;  // The first few violations.
};

// A line on stderr that tells how far it is, rewritten about once a second.
class Progress {
 public:
  Progress(std::string what, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void reached(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::uint64_t total_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = begin_;
};

// A new directory in memory where there is such a place, for trials that are
// about what is written and not about the disk. Removed on destruction.
class Scratch {
 public:
  explicit Scratch(bool on_disk = false);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// How many names are in a directory.
std::uint64_t entry_count(const std::filesystem::path& directory);

// A process with eight writers is killed `trials` times; whatever was
// acknowledged is there, whole, in each writer's order.
Report crash_trials(const TrialOptions& options);

// At `trials` points of a recorded run, what a disk may hold if the power fails
// there: four images each.
Report power_trials(const TrialOptions& options);

// `trials` calls on files, the first ones or spread over the first 500, fail in
// ten ways each.
Report io_error_trials(const TrialOptions& options);

// `trials` flips of bits, and a tenth as many cuts and as many moved blocks.
Report damage_trials(const TrialOptions& options);

// Each of the first `trials` allocations of every call fails.
Report allocation_trials(const TrialOptions& options);

// Collections are filled and emptied `trials` times, and 20 times as many are
// made and dropped.
Report churn_trials(const TrialOptions& options);

// Programs with a fault built in: a suite must catch each.
Report mutant_trials(const TrialOptions& options);

}  // namespace lamina::fault
