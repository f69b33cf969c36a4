#pragma once

#include <string>

#include "core/storage_result.h"

namespace lamina::bench {

std::string storage_console_report(const StorageResult& result);
// A page of its own: docs/storage-costs.md.
std::string storage_to_markdown(const StorageResult& result);

}  // namespace lamina::bench
