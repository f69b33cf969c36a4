#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/link_table.h"
#include "search/near_nodes.h"
#include "search/node_codes.h"

namespace lamina::search {

struct GraphOptions {
  // Links of a node, 2 to kMaxGraphLinks.
  std::size_t m = 16;
  // Nodes that the search for a new node's neighbours keeps.
  std::size_t ef_construct = 100;
};

// A hierarchical navigable small world graph (Malkov and Yashunin, 2016) over
// coded vectors. Nodes are added one by one and never taken out: whoever uses
// the graph knows which of them still count.
//
// Adding the same vectors in the same order gives the same graph, on every CPU.
//
// Thread safety: add() excludes itself; everything else may run beside it and
// never waits. A walk may miss the node that is being added.
class Graph {
 public:
  Graph(const GraphOptions& options, CodeSpace space, std::size_t capacity);
  // A copy with more room, to go on with. `smaller` must not grow meanwhile.
  Graph(const Graph& smaller, std::size_t capacity);

  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  std::size_t capacity() const { return links_.capacity(); }
  const GraphOptions& options() const { return options_; }
  const NodeCodes& codes() const { return codes_; }

  // Links the next node; size() must be below capacity().
  void add(const CodedVector& vector);

  struct Found {
    // Nearest first. Valid until the thread's next search.
    std::span<const NearNode> nodes{};
    // Nodes whose distance was taken, on the lowest level.
    std::size_t met = 0;
  };
  // The `ef` nodes nearest to `query` that a walk finds.
  Found search(const CodedVector& query, std::size_t ef) const;

  // For files. adopt() takes over `size` nodes whose codes and links were
  // filled in; false when a link leads nowhere.
  const LinkTable& links() const { return links_; }
  bool adopt(std::size_t size);

 private:
  // Where walks start: the first node of the highest level.
  struct Entry {
    std::int32_t node = LinkTable::kNoNode;
    std::int32_t level = -1;
  };

  bool check_links(LinkTable::List list, int level, std::size_t size);
  void descend(const CodedVector& from, Entry entry, int to_level,
               NearNodes* near) const;
  std::size_t walk(const CodedVector& from, std::span<const NearNode> starts,
                   int level, NearNodes* near) const;

  void connect(Node node, int level, std::span<const NearNode> near_nodes);
  void link_back(Node neighbour, Node node, int level);
  void replace_links(Node node, int level, std::span<const Node> candidates);
  std::vector<NearNode> by_distance(Node from, std::span<const Node> nodes);
  template <class Essential>
  std::vector<Node> choose(std::span<const NearNode> sorted, std::size_t most,
                           const Essential& is_essential);
  bool is_diverse(const NearNode& candidate, std::span<const Node> chosen);

  const GraphOptions options_;
  NodeCodes codes_;
  LinkTable links_;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<Entry> entry_{};
  // Links to each node on level 0; of the thread that adds.
  std::vector<std::uint32_t> links_in_;
};

}  // namespace lamina::search
