#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lamina::bench {

// One fact about where and with what a run was made. What cannot be found out
// has no value but a reason.
struct Fact {
  std::string key;    // "cpu.governor": a path in the result file's "env"
  std::string value;  // Empty: unknown
  std::string reason;

  bool operator==(const Fact&) const = default;
};

using Facts = std::vector<Fact>;

// The value of `key`; empty when it is not there.
std::string fact(const Facts& facts, std::string_view key);

// The machine, the build and the libraries. `work_directory` is where the
// database under test writes.
Facts describe_environment(const std::filesystem::path& work_directory);

// Counters of the whole machine: two readings tell how quiet it was between.
struct MachineLoad {
  double load_average = 0.0;      // Last minute
  std::uint64_t steal_ticks = 0;  // Time the hypervisor gave to others
  std::uint64_t total_ticks = 0;
};

MachineLoad read_machine_load();

}  // namespace lamina::bench
