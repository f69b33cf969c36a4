#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment.h"
#include "core/result.h"
#include "lamina/result.h"

// What a run of `lamina-bench storage` found, as it stands in its result file.
namespace lamina::bench {

inline constexpr std::string_view kStorageSchema = "lamina-storage/1";

struct StorageFigure {
  std::string name;
  std::string unit;
  double value = 0.0;
  // How far the value may go; absent where nothing was promised.
  std::optional<double> at_most;
  std::optional<double> at_least;

  bool operator==(const StorageFigure&) const = default;

  bool holds() const {
    return !(at_most && value > *at_most) && !(at_least && value < *at_least);
  }
};

struct StorageResult {
  RunInfo run;
  Facts environment;  // Only what is known
  std::vector<StorageFigure> figures;

  bool operator==(const StorageResult&) const = default;

  // Null when it was not measured.
  const StorageFigure* figure(std::string_view name) const;
};

std::string storage_to_json(const StorageResult& result);

//   invalid_argument: not such a result file, or of another schema.
Result<StorageResult> storage_from_json(std::string_view text);

}  // namespace lamina::bench
