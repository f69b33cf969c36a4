#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arms/peer.h"

namespace lamina::bench {

// All graphs are built with the same, by one thread.
inline constexpr std::size_t kGraphLinks = 16;        // M
inline constexpr std::size_t kGraphBuildWidth = 200;  // ef_construction

// Answers a query, given by its row, with a search of this width (ef).
using GraphSearch = std::function<Status(std::size_t query, std::size_t width,
                                         std::span<std::int64_t> rows)>;

// Adds a peer for each of three recalls, "<info.name> 0.95" and so on, with the
// width that reaches it: widths are stepped up until each recall is met, so
// that every row is close to the fastest that meets it.
Status add_graph_peers(const PeerData& data, PeerInfo info,
                       const GraphSearch& search, Peers* peers,
                       std::vector<NotMeasured>* not_measured);

}  // namespace lamina::bench
