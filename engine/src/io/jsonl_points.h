#pragma once

#include <memory>

#include "io/input_file.h"
#include "io/point_reader.h"

namespace lamina::io {

// Lines of {"id": ..., "vector": [...], "payload": {...}}; the payload is
// optional. Reads the first line, to know the dimension.
Result<std::unique_ptr<PointReader>> open_jsonl(InputFile file);

}  // namespace lamina::io
