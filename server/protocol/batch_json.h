#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lamina/result.h"
#include "lamina/results.h"
#include "lamina/selector.h"
#include "protocol/payload_json.h"
#include "protocol/points_json.h"
#include "protocol/vectors_json.h"

// JSON of POST /collections/{c}/points/batch: writes of any kind, one after the
// other.
namespace lamina::protocol {

struct Operation {
  std::string path;  // "operations[3].upsert": where it stands in the body.
  std::variant<PointBatch, UpdateVectors, Selector, EditPayloadRequest> write;
};

// All of the body is read before anything is written.
Result<std::vector<Operation>> decode_operations(std::string_view body);

// A status about an operation, or about a field in it, with its path in front.
Status at_operation(std::string_view path, const Status& status);

std::string encode_updates_reply(std::span<const UpdateResult> results,
                                 bool waited, double seconds);

}  // namespace lamina::protocol
