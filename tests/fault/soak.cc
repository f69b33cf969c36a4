#include "fault/soak.h"

#include <sys/utsname.h>
#include <sys/vfs.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace lamina::fault {
namespace {

struct Part {
  Report (*run)(const TrialOptions& options);
  std::uint64_t trials;
};

constexpr Part kParts[] = {{power_trials, 1'500},   {io_error_trials, 500},
                           {damage_trials, 14'000}, {allocation_trials, 2'000},
                           {churn_trials, 50},      {mutant_trials, 1}};

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string filesystem_of(const std::filesystem::path& path) {
  struct statfs info {};
  if (::statfs(path.c_str(), &info) != 0) return "unknown";
  switch (static_cast<unsigned long>(info.f_type)) {
    case 0xEF53:
      return "ext4";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x01021994:
      return "tmpfs";
    default:
      return "another";
  }
}

std::string environment() {
  struct utsname system {};
  ::uname(&system);
  const std::string_view release = system.release;
  return std::string("\"started_utc\":\"") + now_utc() + "\",\"kernel\":\"" +
         system.sysname + " " +
         std::string(release.substr(0, release.find('-'))) +
         "\",\"processors\":" +
         std::to_string(std::thread::hardware_concurrency()) +
         ",\"filesystem\":\"" +
         filesystem_of(std::filesystem::temp_directory_path()) + "\"";
}

}  // namespace

std::uint64_t soak(const TrialOptions& options,
                   const std::filesystem::path& json) {
  std::string text =
      "{\"schema\":\"lamina-durability/1\"," + environment() + ",\"suites\":[";
  std::uint64_t violations = 0;
  const auto take = [&](const Report& report) {
    std::fputs(report.text().c_str(), stdout);
    std::fflush(stdout);
    if (text.back() != '[') text += ',';
    text += "\n" + report.json();
    violations += report.violations();
  };
  take(crash_trials(options));
  for (const Part& part : kParts) {
    TrialOptions of_part = options;
    of_part.trials = part.trials;
    take(part.run(of_part));
  }
  std::ofstream(json) << text << "]}\n";
  return violations;
}

}  // namespace lamina::fault
