#include "kernels/kernels.h"

#include <string_view>
#include <vector>

#include "kernels/forced_word.h"

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
  std::vector<std::string_view> names;
  for (const KernelSet* set : available()) names.push_back(set->name);
  return *available()[forced_word("LAMINA_KERNEL", names)
                          .value_or(names.size() - 1)];
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
