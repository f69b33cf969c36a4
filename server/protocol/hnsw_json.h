#pragma once

#include <cstdint>
#include <optional>

#include "lamina/options.h"
#include "lamina/status.h"
#include "protocol/message.h"

// "hnsw_config" of a collection. A graph is made when m is given and above 0;
// without m, or with m = 0, the collection is scanned exactly and the other
// fields have no effect. Internal to the protocol.
namespace lamina::protocol {

// What a request gave.
struct HnswConfig {
  std::optional<std::uint64_t> m{};
  std::optional<std::uint64_t> ef_construct{};
  // Vectors of at most so many kilobytes together are scanned.
  std::optional<std::uint64_t> full_scan_threshold{};
  // As above, in points: what a client that must be exact sends. Wins over
  // kilobytes.
  std::optional<std::uint64_t> full_scan_points{};
};

// Reads the field of `parent`, if it is there; what it does not name keeps its
// value, so that a vector's own settings can follow the collection's.
void read_hnsw_config(ObjectReader* parent, HnswConfig* config);

// Sets options->hnsw. Call when dimension and metric are known.
//   invalid_argument: a value is out of range, or the metric has no graph.
Status apply_hnsw_config(const HnswConfig& config, CollectionOptions* options);

// Key and value, for a request.
void write_hnsw_config(const HnswOptions& options, JsonWriter* json);

// Key and value with everything that clients with strict types want to see, m
// being 0 where there is no graph.
void write_hnsw_info(const std::optional<HnswOptions>& options,
                     std::size_t dimension, JsonWriter* json);

}  // namespace lamina::protocol
