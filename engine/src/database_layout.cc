#include "database_layout.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "storage/file.h"

namespace lamina {

std::filesystem::path folder(std::string_view prefix, std::uint64_t number) {
  return std::string(prefix) + std::to_string(number);
}

std::optional<std::uint64_t> number_behind(std::string_view prefix,
                                           std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) {
    return std::nullopt;
  }
  return number;
}

Result<std::vector<std::uint64_t>> live_collections(
    const std::filesystem::path& directory) {
  const Result<std::vector<std::string>> names =
      storage::list_directory(directory);
  if (!names.ok()) return names.status();
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : *names) {
    if (const auto number = number_behind(kLivePrefix, name)) {
      numbers.push_back(*number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace lamina
