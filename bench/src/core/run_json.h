#pragma once

#include "core/environment.h"
#include "core/json_fields.h"
#include "core/result.h"
#include "types/json_writer.h"

// The parts that result files of all kinds share.
namespace lamina::bench {

// As the members "run" and "env" of the object that is open.
void write_run(JsonWriter& json, const RunInfo& run);
void write_environment(JsonWriter& json, const Facts& facts);

RunInfo read_run(const JsonFields& fields);
Facts read_environment(const JsonFields& fields);

}  // namespace lamina::bench
