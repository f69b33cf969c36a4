#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lamina/filter.h"
#include "lamina/point_id.h"

namespace lamina {

// `dimension` float32 values, borrowed for the length of a call.
using VectorView = std::span<const float>;

// How two vectors are compared.
//   cosine  q.x / (|q| |x|), in [-1, 1], larger is better; a zero vector is
//           refused
//   dot     q.x, larger is better
//   euclid  |q - x|, at least 0, smaller is better
//   manhattan  the sum of |q_j - x_j|, at least 0, smaller is better
enum class Metric { cosine, dot, euclid, manhattan };

std::string_view to_string(Metric metric);  // "cosine", ...

// When a score is better: true for cosine and dot.
bool larger_is_better(Metric metric);

// What a write that has returned survives.
//   os     The record is in the operating system: a crash of this process,
//          including kill -9. A power cut may take the last writes.
//   fsync  The record is on the disk: a power cut as well. Costs one fdatasync,
//          which concurrent writers share.
enum class Durability { os, fsync };

std::string_view to_string(Durability durability);  // "os", "fsync"

// Every field below has an initializer, so that naming only some of them, as in
// {.dimension = 384}, draws no warning from a compiler.

// A graph beside the vectors, for collections that a scan takes too long for:
// queries become approximate and cost far less than a scan from some 50,000
// points on. Each point takes `dimension` bytes and 8 * m more. A thread of the
// collection's own links new points in; until it has, a query scores them one
// by one, so that none is missed for being new. Not with manhattan.
struct HnswOptions {
  // Links of a point, 4 to 128. More cost memory and time to build, and find
  // more where vectors have many dimensions that matter.
  std::uint32_t m = 16;
  // How widely a new point's neighbours are looked for, 4 to 4,096. Costs time
  // to build; its best value lies where recall stops to rise.
  std::uint32_t ef_construct = 100;
  // Up to so many points queries scan all of them, exactly, and no graph is
  // built. The same holds for points that a filter leaves.
  std::uint64_t full_scan_threshold = 20'000;

  bool operator==(const HnswOptions&) const = default;
};

struct CollectionOptions {
  // Values in a vector, 1 to kMaxDimension. Must be given.
  std::size_t dimension = 0;
  Metric metric = Metric::cosine;
  // For writes that do not say; the database's default when absent.
  std::optional<Durability> durability{};
  // A graph index; exact scans alone when absent.
  std::optional<HnswOptions> hnsw{};
};

struct WriteOptions {
  // The collection's default when absent.
  std::optional<Durability> durability{};
};

struct QueryOptions {
  // How many hits, 1 to kMaxCount. Fewer come back when the collection is
  // smaller.
  std::uint64_t top_k = 10;
  // Best hits to leave out before the first one returned. The work is that of
  // `top_k + offset` hits.
  std::uint64_t offset = 0;
  // Leaves out hits that are worse than this score. With a large `top_k` this
  // is a range search: all points within a score, at the cost of one scan.
  std::optional<float> score_threshold{};
  // Only points that match: always the best of them, never fewer than there
  // are.
  Filter filter{};
  // Put each hit's payload, or its vector, beside its score. Costs a copy each.
  bool with_payload = false;
  bool with_vector = false;
  // Threads that may work on this call, the caller's among them; 1 to
  // kMaxThreads. The answer is the same with any number. Pays for batches and
  // for collections beyond some 50,000 rows: a thread costs tens of
  // microseconds to start. In process only; a server decides for itself.
  std::size_t threads = 1;
  // Scan all points, though the collection has a graph.
  bool exact = false;
  // How many of the nearest points a walk over the graph keeps, 1 to 4,096, and
  // at least `top_k`; the collection's ef_construct when absent. More take
  // longer and miss fewer. Without a graph it changes nothing.
  std::optional<std::uint32_t> hnsw_ef{};
};

struct GetOptions {
  bool with_payload = true;
  bool with_vector = true;
};

// An order by what stands in the payload at a path: numbers, or times by
// RFC 3339. Numbers come before times. A point with several values comes once
// for each of them, one without any not at all; equal values come by ascending
// id.
struct OrderBy {
  enum class Direction { ascending, descending };

  std::string key{};
  Direction direction = Direction::ascending;
  // The first value of the page, as a number or as the text of a time; only
  // values of its kind are listed.
  std::optional<std::variant<std::int64_t, double, std::string>> start_from{};
};

struct ScrollOptions {
  // First id of the page; the smallest id when absent. Not with order_by, where
  // start_from is the way to the next page.
  std::optional<PointId> offset{};
  // Points in a page, 1 to kMaxCount.
  std::uint64_t limit = 10;
  // Only points that match.
  Filter filter{};
  // By ascending id when absent. Costs a look at every matching point.
  std::optional<OrderBy> order_by{};
  bool with_payload = true;
  bool with_vector = false;
};

struct FacetOptions {
  // How many values, 1 to kMaxCount.
  std::uint64_t limit = 10;
  // Only points that match are counted.
  Filter filter{};
};

// What a payload index holds of the values at its path. Answers are the same
// with an index and without; it only makes filters on that path faster.
//   keyword   strings, as a whole
//   integer   numbers without a fraction
//   floating  numbers
//   boolean
//   datetime  strings that are a time by RFC 3339
//   uuid      strings that are a UUID
//   text      strings, by what is in them
enum class PayloadIndexType {
  keyword,
  integer,
  floating,
  boolean,
  datetime,
  uuid,
  text
};

// "keyword", "integer", "float", "bool", "datetime", "uuid", "text".
std::string_view to_string(PayloadIndexType type);

}  // namespace lamina
