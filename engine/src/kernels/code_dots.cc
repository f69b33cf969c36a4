#include "kernels/code_dots.h"

#include <cassert>
#include <vector>

#include "kernels/kernels.h"

namespace lamina::kernels {
namespace {

// Every set that this target can compile.
constexpr const CodeDots* kCompiled[] = {&portable_code_dots,
#if defined(__x86_64__)
                                         &avx2_code_dots, &avx512_code_dots,
                                         &avx512vnni_code_dots
#elif defined(__aarch64__)
                                         &neon_code_dots
#endif
};

const CodeDots& going_with(const KernelSet& kernels) {
  for (const CodeDots* set : kCompiled) {
    if (set->name == kernels.name) return *set;
  }
  assert(false && "a kernel set has no code dots");
  return portable_code_dots;
}

std::vector<const CodeDots*> runnable() {
  std::vector<const CodeDots*> sets;
  for (const KernelSet* kernels : available()) {
    sets.push_back(&going_with(*kernels));
  }
  return sets;
}

}  // namespace

std::span<const CodeDots* const> available_code_dots() {
  static const std::vector<const CodeDots*> sets = runnable();
  return sets;
}

const CodeDots& active_code_dots() {
  static const CodeDots& chosen = going_with(active());
  return chosen;
}

}  // namespace lamina::kernels
