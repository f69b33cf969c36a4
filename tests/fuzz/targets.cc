#include "fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace lamina::fuzz {

std::span<const Target> targets() {
  static const std::vector<Target> kTargets = {
      json_target(),        texts_target(),      edits_target(),
      filters_target(),     points_target(),     queries_target(),
      collections_target(), replies_target(),    tensors_target(),
      url_target(),         head_target(),       connection_target(),
      log_target(),         snapshot_target(),   manifest_target(),
      graph_target(),       data_files_target(), directory_target()};
  return kTargets;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

void check(bool holds, std::string_view promise) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n",
               static_cast<int>(promise.size()), promise.data());
  std::abort();
}

std::size_t take_choice(std::string_view* input) {
  if (input->empty()) return 0;
  const auto choice = static_cast<unsigned char>(input->front());
  input->remove_prefix(1);
  return choice;
}

std::string with_choice(std::size_t choice, std::string_view input) {
  return std::string(1, static_cast<char>(choice)) + std::string(input);
}

}  // namespace lamina::fuzz
