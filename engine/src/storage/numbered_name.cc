#include "storage/numbered_name.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "storage/file.h"

namespace lamina::storage {
namespace {

constexpr std::size_t kDigits = 8;

std::optional<std::uint64_t> number_in(const NumberedName& form,
                                       std::string_view name) {
  if (!name.starts_with(form.prefix) || !name.ends_with(form.suffix) ||
      name.size() < form.prefix.size() + form.suffix.size()) {
    return std::nullopt;
  }
  const char* const begin = name.data() + form.prefix.size();
  const char* const end = name.data() + name.size() - form.suffix.size();
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end || form.of(number) != name) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

std::string NumberedName::of(std::uint64_t number) const {
  std::string digits = std::to_string(number);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return std::string(prefix) + digits + std::string(suffix);
}

Result<std::vector<std::uint64_t>> NumberedName::all_in(
    const std::filesystem::path& directory) const {
  const Result<std::vector<std::string>> names = list_directory(directory);
  if (!names.ok()) return names.status();
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : *names) {
    if (const auto number = number_in(*this, name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace lamina::storage
