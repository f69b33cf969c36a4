#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "io/line_reader.h"
#include "lamina/payload.h"
#include "lamina/point_id.h"

namespace lamina::io {

// {"id": 7, "vector": [...], "payload": {...}}, each part once. Null counts as
// absent.
struct JsonLine {
  std::optional<PointId> id;
  bool has_vector = false;
  Payload payload;
};

// Reads one line; its vector is appended to `values`, and is an unknown key
// when `values` is null.
//   invalid_argument: not such an object, or another key in it.
Result<JsonLine> read_json_line(std::string_view line,
                                std::vector<float>* values);

// The next line; an error when there is none.
Result<std::string_view> require_line(LineReader& lines);
Status skip_lines(std::uint64_t count, LineReader& lines);
// An error when there is another line.
Status require_end(LineReader& lines);

}  // namespace lamina::io
