#pragma once

#include <string>

#include "lamina/result.h"
#include "lamina/results.h"
#include "types/json_writer.h"

// What several sub-commands print.
namespace lamina::tool {

// A line to stdout.
//   io_error: it could not be written, as when a disk is full.
Status print_line(const std::string& line);

// {"id": ..., "vector": [...], "payload": {...}} of the parts that are there: a
// line that import reads.
std::string point_line(const Record& point);

// "cosine, 384 values".
std::string describe(const CollectionInfo& info);

// "name", "points", "dimension" and "metric" into an object that is open.
void write_info(const CollectionInfo& info, JsonWriter* json);

// 1536000 is "1,536,000".
std::string with_commas(std::uint64_t number);

}  // namespace lamina::tool
