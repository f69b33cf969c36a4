#include "experiments/ladder_plan.h"

#include <vector>

#include "core/process.h"

namespace lamina::bench {

std::string_view to_string(Placement placement) {
  switch (placement) {
    case Placement::split:
      return "split";
    case Placement::same:
      return "same";
    case Placement::free:
      return "free";
  }
  return "";
}

Result<Placement> parse_placement(std::string_view text) {
  for (Placement placement :
       {Placement::split, Placement::same, Placement::free}) {
    if (text == to_string(placement)) return placement;
  }
  return Status::invalid_field("placement", "must be split, same or free");
}

Result<Cpus> choose_cpus(Placement placement) {
  const std::vector<int> cpus = allowed_cpus();
  if (placement == Placement::free || cpus.empty()) return Cpus{};
  if (placement == Placement::same) return Cpus{cpus[0], cpus[0]};
  if (cpus.size() < 2) {
    return Status::resource_exhausted(
        "placement split needs two CPUs; use --placement same");
  }
  return Cpus{cpus[0], cpus[1]};
}

}  // namespace lamina::bench
