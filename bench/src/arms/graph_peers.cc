#include "arms/graph_peers.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "core/recall.h"

namespace lamina::bench {
namespace {

constexpr std::array kRecalls{0.95, 0.99, 0.999};

// Beyond, a scan is the better choice by far.
constexpr std::size_t kMostWidth = 4'000;

class GraphPeer : public Peer {
 public:
  GraphPeer(PeerInfo info, GraphSearch search, std::size_t width)
      : Peer(std::move(info)), search_(std::move(search)), width_(width) {}

  Status search(std::size_t first, std::span<std::int64_t> rows) override {
    return search_(first, width_, rows);
  }

 private:
  GraphSearch search_;
  std::size_t width_;
};

Result<double> recall_of(const PeerData& data, const GraphSearch& search,
                         std::size_t width) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < data.set.queries.rows; ++i) {
    std::array<std::int64_t, kPeerK> rows;
    rows.fill(-1);
    Status answered = search(i, width, rows);
    if (!answered.ok()) return answered;
    found += true_answers(data.set, i, rows);
  }
  return static_cast<double>(found) /
         static_cast<double>(kPeerK * data.set.queries.rows);
}

std::string peer_name(const std::string& graph, double wanted) {
  char text[16];
  std::snprintf(text, sizeof text, " %g", wanted);
  return graph + text;
}

}  // namespace

Status add_graph_peers(const PeerData& data, PeerInfo info,
                       const GraphSearch& search, Peers* peers,
                       std::vector<NotMeasured>* not_measured) {
  const std::string graph = info.name;
  const std::string note =
      info.note + (info.note.empty() ? "" : ", ") +
      "M=" + std::to_string(kGraphLinks) +
      ", ef_construction=" + std::to_string(kGraphBuildWidth) + ", ef=";
  const std::size_t most = std::min(data.set.base.rows, kMostWidth);
  std::size_t width = kPeerK;
  Result<double> reached = recall_of(data, search, width);
  for (const double wanted : kRecalls) {
    while (reached.ok() && *reached < wanted && width < most) {
      width = std::min(width + 1 + width / 8, most);
      reached = recall_of(data, search, width);
    }
    if (!reached.ok()) return reached.status();
    info.name = peer_name(graph, wanted);
    if (*reached < wanted) {
      not_measured->push_back(
          {info.name + " on " + data.set.name, "no ef reaches that recall"});
      continue;
    }
    info.note = note + std::to_string(width);
    peers->push_back(std::make_unique<GraphPeer>(info, search, width));
  }
  return {};
}

}  // namespace lamina::bench
