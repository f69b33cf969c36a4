#pragma once

#include <string_view>

#include "lamina/result.h"
#include "protocol/points_json.h"
#include "types/json_reader.h"

// JSON of the routes that change vectors and leave payloads as they are.
namespace lamina::protocol {

// New vectors of points that are there, without payloads. The condition of the
// batch says which of them get theirs.
struct UpdateVectors {
  PointBatch points;
};

// PUT /collections/{c}/points/vectors
Result<UpdateVectors> decode_update_vectors(std::string_view body);
// The same for a value inside a body.
Result<UpdateVectors> read_update_vectors(const JsonValue& root);

// POST /collections/{c}/points/vectors/delete. There is one vector, which no
// point can be without, so this is an error in any case, and says which.
Status check_delete_vectors(std::string_view body);
Status check_delete_vectors(const JsonValue& root);

}  // namespace lamina::protocol
