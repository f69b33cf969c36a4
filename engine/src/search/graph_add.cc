// Linking a node into a graph.
#include <algorithm>
#include <cassert>

#include "search/graph.h"

namespace lamina::search {
namespace {

// Of the thread that adds; kept for their memory.
thread_local NearNodes near;
thread_local NearNodes starts;
thread_local CodedVector other;

// Replaces a full list. What stays keeps its place or is first written to
// another, so that no walk misses it meanwhile.
void store(LinkTable::List list, std::vector<Node> chosen) {
  std::vector<std::size_t> free;
  for (std::size_t place = 0; place < list.capacity(); ++place) {
    const auto stays =
        std::ranges::find(chosen, static_cast<Node>(list.get(place)));
    if (stays == chosen.end()) {
      free.push_back(place);
    } else {
      chosen.erase(stays);
    }
  }
  std::size_t filled = 0;
  for (; filled < chosen.size(); ++filled) {
    list.set(free[filled], static_cast<std::int32_t>(chosen[filled]));
  }
  free.erase(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(filled));
  for (std::size_t end = list.capacity(); !free.empty(); --end) {
    const std::size_t last = end - 1;
    if (free.back() == last) {
      free.pop_back();
    } else {
      list.set(free.front(), list.get(last));
      free.erase(free.begin());
    }
    list.set(last, LinkTable::kNoNode);
  }
}

}  // namespace

void Graph::add(const CodedVector& vector) {
  const std::size_t index = size();
  assert(index < capacity());
  const auto node = static_cast<Node>(index);
  codes_.put(node, vector);
  const int level = links_.level(node);
  const Entry entry = entry_.load(std::memory_order_relaxed);
  if (entry.level >= 0) {
    descend(vector, entry, std::min(level, entry.level), &near);
    for (int at = std::min(level, entry.level); at >= 0; --at) {
      std::swap(near, starts);
      near.begin(options_.ef_construct);
      walk(vector, starts.nodes(), at, &near);
      connect(node, at, near.nodes());
    }
  }
  if (level > entry.level) {
    entry_.store({static_cast<std::int32_t>(node), level},
                 std::memory_order_release);
  }
  size_.store(index + 1, std::memory_order_release);
}

// Writes the node's own list before any other leads to it.
void Graph::connect(Node node, int level,
                    std::span<const NearNode> near_nodes) {
  const std::vector<Node> chosen =
      choose(near_nodes, options_.m, [](Node) { return false; });
  const LinkTable::List list = links_.links(node, level);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    list.set(i, static_cast<std::int32_t>(chosen[i]));
    if (level == 0) ++links_in_[chosen[i]];
  }
  for (const Node neighbour : chosen) link_back(neighbour, node, level);
  // Among many copies of one vector those chosen may have no place to spare.
  for (std::size_t i = 0; level == 0 && links_in_[node] == 0; ++i) {
    if (i == near_nodes.size()) break;
    link_back(near_nodes[i].node(), node, level);
  }
}

// Adds `node` to the list of `neighbour`, or chooses anew when that is full.
void Graph::link_back(Node neighbour, Node node, int level) {
  const LinkTable::List list = links_.links(neighbour, level);
  std::vector<Node> nodes;
  nodes.reserve(list.capacity() + 1);
  for (std::size_t place = 0; place < list.capacity(); ++place) {
    const std::int32_t link = list.get(place);
    if (link == LinkTable::kNoNode) {
      list.set(place, static_cast<std::int32_t>(node));
      if (level == 0) ++links_in_[node];
      return;
    }
    nodes.push_back(static_cast<Node>(link));
  }
  if (level == 0 && std::ranges::all_of(nodes, [&](Node linked) {
        return links_in_[linked] == 1;
      })) {
    return;  // Each would be lost without this list.
  }
  nodes.push_back(node);
  replace_links(neighbour, level, nodes);
}

// `candidates` are the list's nodes and a new one.
void Graph::replace_links(Node node, int level,
                          std::span<const Node> candidates) {
  if (level == 0) {
    for (const Node linked : candidates.first(candidates.size() - 1)) {
      --links_in_[linked];
    }
  }
  const LinkTable::List list = links_.links(node, level);
  const std::vector<Node> chosen = choose(
      by_distance(node, candidates), list.capacity(),
      [&](Node candidate) { return level == 0 && links_in_[candidate] == 0; });
  if (level == 0) {
    for (const Node linked : chosen) ++links_in_[linked];
  }
  store(list, chosen);
}

std::vector<NearNode> Graph::by_distance(Node from,
                                         std::span<const Node> nodes) {
  std::vector<float> distances(nodes.size());
  codes_.read(from, &other);
  codes_.distances(other, nodes.data(), nodes.size(), distances.data());
  std::vector<NearNode> sorted;
  sorted.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    sorted.emplace_back(distances[i], nodes[i]);
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// Goes from near to far and takes a node when it is nearer to the list's owner
// than to all that were taken: links then lead into every direction. Those that
// nothing else leads to are taken in any case, or no walk could ever find them.
template <class Essential>
std::vector<Node> Graph::choose(std::span<const NearNode> sorted,
                                std::size_t most,
                                const Essential& is_essential) {
  std::size_t reserved = 0;
  for (const NearNode& candidate : sorted) {
    if (is_essential(candidate.node())) ++reserved;
  }
  std::vector<Node> chosen;
  chosen.reserve(most);
  for (const NearNode& candidate : sorted) {
    if (chosen.size() == most) break;
    if (is_essential(candidate.node())) {
      --reserved;
    } else if (chosen.size() + reserved >= most ||
               !is_diverse(candidate, chosen)) {
      continue;
    }
    chosen.push_back(candidate.node());
  }
  return chosen;
}

bool Graph::is_diverse(const NearNode& candidate,
                       std::span<const Node> chosen) {
  constexpr std::size_t kAtOnce = 4;
  float distances[kAtOnce];
  if (!chosen.empty()) codes_.read(candidate.node(), &other);
  const float own = candidate.distance();
  while (!chosen.empty()) {
    const std::size_t count = std::min(kAtOnce, chosen.size());
    codes_.distances(other, chosen.data(), count, distances);
    for (std::size_t i = 0; i < count; ++i) {
      if (distances[i] < own) return false;
    }
    chosen = chosen.subspan(count);
  }
  return true;
}

}  // namespace lamina::search
