#include "kernels/kernels.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace lamina::kernels {
namespace {

std::vector<const KernelSet*> detect() {
  std::vector<const KernelSet*> sets = {&portable};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.push_back(&avx2);
  }
  const bool has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (has_avx512) sets.push_back(&avx512);
  if (has_avx512 && __builtin_cpu_supports("avx512vnni")) {
    sets.push_back(&avx512vnni);
  }
#elif defined(__aarch64__)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) sets.push_back(&neon);
#endif
  return sets;
}

const KernelSet& choose() {
  const char* forced = std::getenv("LAMINA_KERNEL");
  if (forced == nullptr || *forced == '\0') return *available().back();
  for (const KernelSet* set : available()) {
    if (set->name == forced) return *set;
  }
  std::fprintf(stderr, "lamina: LAMINA_KERNEL=%s is not one of:", forced);
  for (const KernelSet* set : available()) {
    std::fprintf(stderr, " %.*s", static_cast<int>(set->name.size()),
                 set->name.data());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

}  // namespace

std::span<const KernelSet* const> available() {
  static const std::vector<const KernelSet*> sets = detect();
  return sets;
}

const KernelSet& active() {
  static const KernelSet& chosen = choose();
  return chosen;
}

}  // namespace lamina::kernels
