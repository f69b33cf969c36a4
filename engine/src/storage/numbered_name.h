#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"

namespace lamina::storage {

// A file name made of a number, in at least eight digits so that listings sort.
struct NumberedName {
  std::string_view prefix;
  std::string_view suffix;

  std::string of(std::uint64_t number) const;

  // The numbers of the files in a directory that have such a name, ascending.
  Result<std::vector<std::uint64_t>> all_in(
      const std::filesystem::path& directory) const;
};

}  // namespace lamina::storage
