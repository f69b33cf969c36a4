#pragma once

#include <optional>

#include "filter/compiled_filter.h"
#include "lamina/payload.h"
#include "lamina/point_id.h"
#include "types/json_reader.h"

namespace lamina::filter {

// What a filter is asked about: a point, or one object inside a point's payload
// when `nested` asks. The payload is read when a condition first needs it.
class Subject {
 public:
  // Both must outlive it.
  Subject(const PointId& id, const Payload& payload)
      : id_(&id), payload_(&payload) {}
  explicit Subject(const JsonValue& object) : root_(object) {}

  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  // Null for an object inside a payload.
  const PointId* id() const { return id_; }
  const Payload* payload() const { return payload_; }
  const JsonValue& root();

 private:
  const PointId* id_ = nullptr;
  const Payload* payload_ = nullptr;
  std::optional<JsonDocument> document_;
  std::optional<JsonValue> root_;
};

// Whether one subject matches, by looking at its payload: the slow way, which
// needs no column and can answer everything.
bool matches(const CompiledFilter& filter, Subject* subject);
bool matches(const CompiledCondition& condition, Subject* subject);

}  // namespace lamina::filter
