#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/filter.h"
#include "lamina/options.h"
#include "lamina/payload.h"
#include "lamina/point_id.h"

namespace lamina {

// A point to write. The vector is borrowed until the call returns.
struct Point {
  PointId id{};
  VectorView vector{};
  Payload payload{};
};

// A stored point, as get and scroll return it.
struct Record {
  PointId id{};
  std::optional<std::vector<float>> vector{};  // The bits that were put in.
  std::optional<Payload> payload{};
  // What it was ordered by, when a scroll asked for an order: the number, or
  // the microseconds from 1970 to the time, in UTC.
  std::optional<where::Number> order_value{};

  bool operator==(const Record&) const = default;
};

// One answer of a query.
struct Hit {
  PointId id{};
  // The metric's value, rounded once from double. Hits are ordered by the
  // double, then by id, so neighbours may show equal scores.
  float score = 0.0f;
  // Sequence number of the write that last changed the point.
  std::uint64_t version = 0;
  std::optional<std::vector<float>> vector{};
  std::optional<Payload> payload{};

  bool operator==(const Hit&) const = default;
};

// How a query was answered, so that its exactness can be seen.
struct QueryStats {
  // What was done: "flat" for the exact scan; "flat, centred" when the rows are
  // coded around their mean; "flat, principal axes" when it looked at the
  // leading principal axes of all rows first. What rows are coded by is chosen
  // as they are written, by what costs less; LAMINA_CENTER and LAMINA_AXES
  // force it (automatic, never, always).
  std::string_view plan{};
  // How the filter was answered, the costliest way of all conditions: from
  // "ids", an "index", a "column" of values or each "payload"; "all" when they
  // could not tell points apart. Empty without a filter.
  std::string_view filter_plan{};
  // The instruction set of its inner loops: "avx512vnni".
  std::string_view kernel{};
  // Rows that the filter let pass; all of them without one.
  std::uint64_t rows_matching = 0;
  // Rows whose code was read.
  std::uint64_t rows_scanned = 0;
  // Rows whose code of the whole vector was read: those that a first look at
  // part of it left, or all.
  std::uint64_t rows_refined = 0;
  // Rows that the proven bound on the code's error could not rule out, each
  // scored again from its float32 values.
  std::uint64_t rows_rescored = 0;

  bool operator==(const QueryStats&) const = default;
};

// What an acknowledged write came to.
struct UpdateResult {
  // The write's place in the collection's history, from 1, without holes.
  std::uint64_t sequence = 0;
  // The record is known to be on the disk.
  bool durable = false;

  bool operator==(const UpdateResult&) const = default;
};

// A page of points in id order.
struct ScrollPage {
  std::vector<Record> points{};
  // First id of the next page; absent on the last one.
  std::optional<PointId> next_offset{};

  bool operator==(const ScrollPage&) const = default;
};

// How many points have a value at the path that was asked for.
struct FacetHit {
  where::Value value{};
  std::uint64_t count = 0;

  bool operator==(const FacetHit&) const = default;
};

struct PayloadIndexInfo {
  std::string key{};
  PayloadIndexType type = PayloadIndexType::keyword;
  // Points with a value of that type.
  std::uint64_t point_count = 0;

  bool operator==(const PayloadIndexInfo&) const = default;
};

struct CollectionInfo {
  std::string name{};
  std::size_t dimension = 0;
  Metric metric = Metric::cosine;
  std::uint64_t point_count = 0;
  std::vector<PayloadIndexInfo> payload_indexes{};  // By key.
  // What the collection was created with.
  std::optional<HnswOptions> hnsw{};
  // Points that its graph holds; queries score the others one by one or scan.
  std::uint64_t linked_count = 0;

  bool operator==(const CollectionInfo&) const = default;
};

}  // namespace lamina
