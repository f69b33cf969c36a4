#include "search/graph.h"

#include <utility>

#include "search/visited_nodes.h"

namespace lamina::search {
namespace {

// Of the calling thread: no walk allocates once these have grown.
thread_local VisitedNodes visited;
thread_local NearNodes starts;
thread_local NearNodes found;

// Nodes of level 1 that a walk on level 0 starts from. From one alone, a walk
// among clustered vectors can end in the wrong cluster and fill with its nodes.
// At 100,000 x 384 in clusters, 16 lose a thirtieth of the nodes that 1 loses,
// and reach a recall of 0.99 in less time.
constexpr std::size_t kStarts = 16;

// The nodes of a list that `wanted` holds for; fetches their codes.
template <class Wanted>
std::size_t gather(const NodeCodes& codes, LinkTable::List list,
                   const Wanted& wanted, Node* nodes) {
  std::size_t count = 0;
  for (std::size_t place = 0; place < list.capacity(); ++place) {
    const std::int32_t link = list.get(place);
    if (link == LinkTable::kNoNode) break;
    const auto node = static_cast<Node>(link);
    if (!wanted(node)) continue;
    codes.prefetch(node);
    nodes[count++] = node;
  }
  return count;
}

}  // namespace

Graph::Graph(const GraphOptions& options, CodeSpace space, std::size_t capacity)
    : options_(options),
      codes_(std::move(space), capacity),
      links_(options.m, capacity),
      links_in_(capacity, 0) {}

Graph::Graph(const Graph& smaller, std::size_t capacity)
    : options_(smaller.options_),
      codes_(smaller.codes_, smaller.size(), capacity),
      links_(smaller.links_, smaller.size(), capacity),
      size_(smaller.size()),
      entry_(smaller.entry_.load()),
      links_in_(smaller.links_in_) {
  links_in_.resize(capacity, 0);
}

bool Graph::adopt(std::size_t size) {
  for (std::size_t index = 0; index < size; ++index) {
    const auto node = static_cast<Node>(index);
    const Entry entry = entry_.load();
    const int top = links_.level(node);
    if (top > entry.level) entry_.store({static_cast<std::int32_t>(node), top});
    for (int level = 0; level <= top; ++level) {
      if (!check_links(links_.links(node, level), level, size)) return false;
    }
  }
  size_.store(size);
  return true;
}

// Counts those of level 0.
bool Graph::check_links(LinkTable::List list, int level, std::size_t size) {
  bool ended = false;
  for (std::size_t place = 0; place < list.capacity(); ++place) {
    const std::int32_t link = list.get(place);
    if (link == LinkTable::kNoNode) {
      ended = true;
      continue;
    }
    const auto node = static_cast<Node>(link);
    if (ended || node >= size || links_.level(node) < level) return false;
    if (level == 0) ++links_in_[node];
  }
  return true;
}

Graph::Found Graph::search(const CodedVector& query, std::size_t ef) const {
  found.begin(ef);
  const Entry entry = entry_.load(std::memory_order_acquire);
  if (entry.level < 0) return {};
  descend(query, entry, 0, &starts);
  const std::size_t met = walk(query, starts.nodes(), 0, &found);
  return {found.nodes(), met};
}

// Becomes nodes near `from` on the level above `to_level`, or the entry where
// that is no higher. On the levels above, only the nearest node is followed.
void Graph::descend(const CodedVector& from, Entry entry, int to_level,
                    NearNodes* near) const {
  thread_local NearNodes others;
  const auto top = static_cast<Node>(entry.node);
  float distance = 0.0f;
  codes_.distances(from, &top, 1, &distance);
  near->begin(kStarts);
  near->add({distance, top});
  for (int level = entry.level; level > to_level; --level) {
    std::swap(others, *near);
    near->begin(level == to_level + 1 ? kStarts : 1);
    walk(from, others.nodes(), level, near);
  }
}

// Follows the links of the nearest nodes met, until all that there is room for
// were followed. Returns how many were met.
std::size_t Graph::walk(const CodedVector& from,
                        std::span<const NearNode> starts, int level,
                        NearNodes* near) const {
  Node nodes[NodeCodes::kMostDistances];
  float distances[NodeCodes::kMostDistances];
  visited.begin(capacity());
  for (const NearNode& start : starts) {
    visited.insert(start.node());
    near->add({start.distance(), start.node()});
  }
  std::size_t met = starts.size();
  while (const NearNode* next = near->follow_next()) {
    const std::size_t count = gather(
        codes_, links_.links(next->node(), level),
        [](Node node) { return visited.insert(node); }, nodes);
    if (const NearNode* likely = near->peek()) {
      links_.links(likely->node(), level).prefetch();
    }
    codes_.distances(from, nodes, count, distances);
    for (std::size_t i = 0; i < count; ++i) {
      near->add({distances[i], nodes[i]});
    }
    met += count;
  }
  return met;
}

}  // namespace lamina::search
