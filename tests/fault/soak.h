#pragma once

#include <filesystem>

#include "fault/trials.h"
#include "lamina/status.h"

namespace lamina::fault {

// Runs all suites for as long as the figures of docs/durability.md want it, and
// writes one JSON file. Returns how many promises were broken. `trials` of the
// options is how many kills; the others follow their own numbers.
std::uint64_t soak(const TrialOptions& options,
                   const std::filesystem::path& json);

// Writes the page that tells what soak() found; or, with `check`, changes
// nothing and fails when the page is another.
Status write_page(const std::filesystem::path& json,
                  const std::filesystem::path& page, bool check);

}  // namespace lamina::fault
