#include "core/environment.h"

#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/process.h"

namespace lamina::bench {
namespace {

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The value behind "name : value" in /proc/cpuinfo.
std::string cpu_info(std::string_view name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

Fact known_or(std::string key, std::string value, std::string reason) {
  if (!value.empty()) reason.clear();
  return {std::move(key), std::move(value), std::move(reason)};
}

std::string filesystem_name(const std::filesystem::path& directory) {
  struct statfs info {};
  if (statfs(directory.c_str(), &info) != 0) return "";
  switch (static_cast<unsigned long>(info.f_type)) {
    case 0xEF53:
      return "ext2/3/4";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x01021994:
      return "tmpfs";
    case 0x794c7630:
      return "overlayfs";
    default: {
      std::ostringstream hex;
      hex << "0x" << std::hex << info.f_type;
      return hex.str();
    }
  }
}

void add_machine(Facts* facts) {
  utsname system{};
  uname(&system);
  const std::filesystem::path cpu0 = "/sys/devices/system/cpu/cpu0/";
  facts->push_back(
      known_or("cpu.model", cpu_info("model name"), "not in /proc/cpuinfo"));
  facts->push_back({"cpu.family_model",
                    cpu_info("cpu family") + "/" + cpu_info("model\t"), ""});
  facts->push_back({"cpu.allowed", std::to_string(allowed_cpus().size()), ""});
  facts->push_back(known_or("cpu.l2", first_line(cpu0 / "cache/index2/size"),
                            "not exposed"));
  facts->push_back(known_or("cpu.l3", first_line(cpu0 / "cache/index3/size"),
                            "not exposed"));
  facts->push_back(known_or("cpu.governor",
                            first_line(cpu0 / "cpufreq/scaling_governor"),
                            "not exposed"));
  // Its version; what builders of kernels put behind it tells nothing here.
  const std::string_view release = system.release;
  facts->push_back({"kernel",
                    std::string(system.sysname) + " " +
                        std::string(release.substr(0, release.find('-'))),
                    ""});
  facts->push_back({"machine", system.machine, ""});
  facts->push_back({"hypervisor",
                    cpu_info("flags").find(" hypervisor") != std::string::npos
                        ? "yes"
                        : "no",
                    ""});
  facts->push_back(
      known_or("clocksource",
               first_line("/sys/devices/system/clocksource/clocksource0/"
                          "current_clocksource"),
               "not exposed"));
  facts->push_back(known_or(
      "net.congestion_control",
      first_line("/proc/sys/net/ipv4/tcp_congestion_control"), "not exposed"));
  facts->push_back(
      known_or("transparent_hugepages",
               first_line("/sys/kernel/mm/transparent_hugepage/enabled"),
               "not exposed"));
}

void add_build(Facts* facts) {
  facts->push_back({"build.compiler", LAMINA_BENCH_COMPILER, ""});
  facts->push_back({"build.type", LAMINA_BENCH_BUILD_TYPE, ""});
  facts->push_back(known_or("build.flags", LAMINA_BENCH_FLAGS, "none"));
  facts->push_back({"libraries.cpp-httplib", LAMINA_BENCH_HTTPLIB_VERSION, ""});
  facts->push_back({"libraries.boost", LAMINA_BENCH_BOOST_VERSION, ""});
  facts->push_back({"libraries.openblas", LAMINA_BENCH_OPENBLAS_VERSION, ""});
}

}  // namespace

std::string fact(const Facts& facts, std::string_view key) {
  for (const Fact& entry : facts) {
    if (entry.key == key) return entry.value;
  }
  return "";
}

Facts describe_environment(const std::filesystem::path& work_directory) {
  Facts facts;
  add_machine(&facts);
  facts.push_back(known_or("disk.filesystem", filesystem_name(work_directory),
                           "statfs failed"));
  add_build(&facts);
  return facts;
}

MachineLoad read_machine_load() {
  MachineLoad load;
  double averages[1] = {0.0};
  if (getloadavg(averages, 1) == 1) load.load_average = averages[0];
  std::ifstream stat("/proc/stat");
  std::string label;
  stat >> label;
  for (int column = 0; column < 8; ++column) {
    std::uint64_t ticks = 0;
    stat >> ticks;
    load.total_ticks += ticks;
    if (column == 7) load.steal_ticks = ticks;
  }
  return load;
}

}  // namespace lamina::bench
