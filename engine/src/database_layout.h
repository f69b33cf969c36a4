#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "lamina/result.h"

// What lies in the directory of a database: docs/file-format.md.
namespace lamina {

// Folders: "collection-<number>" holds a collection; "new-<number>" one whose
// creation was not finished, "dropped-<number>" one whose removal was not.
// Names of collections are never used as file names.
inline constexpr std::string_view kLivePrefix = "collection-";
inline constexpr std::string_view kNewPrefix = "new-";
inline constexpr std::string_view kDroppedPrefix = "dropped-";
inline constexpr std::string_view kManifestName = "MANIFEST";

std::filesystem::path folder(std::string_view prefix, std::uint64_t number);

// The number of a folder with that prefix; absent when it has another name.
std::optional<std::uint64_t> number_behind(std::string_view prefix,
                                           std::string_view name);

// The numbers of the collections in a directory, ascending.
Result<std::vector<std::uint64_t>> live_collections(
    const std::filesystem::path& directory);

}  // namespace lamina
