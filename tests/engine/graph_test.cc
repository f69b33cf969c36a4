#include "search/graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "support/random_points.h"

namespace lamina::search {
namespace {

constexpr std::size_t kDimension = 24;

// Vectors around a few centres, as a flat array.
struct Vectors {
  Vectors(std::size_t vector_count, std::uint64_t seed, float shift = 0.0f)
      : count(vector_count) {
    test::Random random(seed);
    const std::vector<float> centres = random.vector(10 * kDimension);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t centre = random.below(10) * kDimension;
      for (std::size_t j = 0; j < kDimension; ++j) {
        values.push_back(shift + centres[centre + j] + random.uniform());
      }
    }
  }

  VectorView operator[](std::size_t i) const {
    return std::span(values).subspan(i * kDimension, kDimension);
  }

  std::size_t count;
  std::vector<float> values;
};

Graph empty_graph(const Vectors& vectors, Metric metric, std::size_t capacity) {
  const std::size_t sample = std::min<std::size_t>(10, vectors.count);
  return Graph(
      {.m = 8, .ef_construct = 60},
      choose_code_space(metric, kDimension,
                        std::span(vectors.values).first(sample * kDimension)),
      capacity);
}

void add(const Vectors& vectors, std::size_t begin, std::size_t end,
         Graph* graph) {
  CodedVector coded;
  for (std::size_t i = begin; i < end; ++i) {
    graph->codes().code(vectors[i], &coded);
    graph->add(coded);
  }
}

std::vector<Node> find(const Graph& graph, VectorView query, std::size_t k,
                       std::size_t ef) {
  CodedVector coded;
  graph.codes().code(query, &coded);
  std::vector<Node> nodes;
  for (const NearNode& near : graph.search(coded, ef).nodes) {
    if (nodes.size() < k) nodes.push_back(near.node());
  }
  return nodes;
}

double goodness(Metric metric, VectorView a, VectorView b) {
  double dot = 0.0, distance = 0.0, a_square = 0.0, b_square = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    dot += double{a[j]} * b[j];
    a_square += double{a[j]} * a[j];
    b_square += double{b[j]} * b[j];
    distance += (double{a[j]} - b[j]) * (double{a[j]} - b[j]);
  }
  if (metric == Metric::euclid) return -distance;
  return metric == Metric::dot ? dot : dot / std::sqrt(a_square * b_square);
}

std::set<Node> nearest(const Vectors& vectors, Metric metric, VectorView query,
                       std::size_t k) {
  std::vector<std::pair<double, Node>> all;
  for (std::size_t i = 0; i < vectors.count; ++i) {
    all.emplace_back(-goodness(metric, query, vectors[i]),
                     static_cast<Node>(i));
  }
  std::sort(all.begin(), all.end());
  std::set<Node> nodes;
  for (std::size_t i = 0; i < k; ++i) nodes.insert(all[i].second);
  return nodes;
}

// Share of the 10 true nearest that a walk finds among its best 20: codes tell
// neighbours apart less well than floats do.
double recall(const Vectors& vectors, Metric metric, const Graph& graph,
              std::size_t ef) {
  constexpr std::size_t kQueries = 50;
  test::Random random(99);
  std::size_t found = 0;
  for (std::size_t q = 0; q < kQueries; ++q) {
    std::vector<float> query(vectors[q].begin(), vectors[q].end());
    for (float& value : query) value += random.uniform();
    const std::set<Node> truth = nearest(vectors, metric, query, 10);
    for (const Node node : find(graph, query, 20, ef)) {
      found += truth.count(node);
    }
  }
  return static_cast<double>(found) / (10.0 * kQueries);
}

std::vector<std::int32_t> all_links(const Graph& graph) {
  std::vector<std::int32_t> links;
  for (const auto places : {graph.links().ground_places(graph.size()),
                            graph.links().upper_places(graph.size())}) {
    links.insert(links.end(), places.begin(), places.end());
  }
  return links;
}

}  // namespace

TEST_CASE("a walk finds nearly all true neighbours, under every metric") {
  for (Metric metric : {Metric::cosine, Metric::dot, Metric::euclid}) {
    CAPTURE(to_string(metric));
    const Vectors vectors(3'000, 1);
    Graph graph = empty_graph(vectors, metric, vectors.count);
    add(vectors, 0, vectors.count, &graph);
    CHECK(recall(vectors, metric, graph, 100) > 0.98);
    CHECK(recall(vectors, metric, graph, 10) > 0.5);
  }
}

TEST_CASE("vectors far from the origin are told apart") {
  const Vectors vectors(2'000, 2, /*shift=*/100.0f);
  Graph graph = empty_graph(vectors, Metric::euclid, vectors.count);
  add(vectors, 0, vectors.count, &graph);
  CHECK(recall(vectors, Metric::euclid, graph, 100) > 0.98);
}

TEST_CASE("very large and very small values are told apart") {
  for (float scale : {1e36f, 1e-36f}) {
    CAPTURE(scale);
    Vectors vectors(500, 3);
    for (float& value : vectors.values) value *= scale;
    for (Metric metric : {Metric::cosine, Metric::dot, Metric::euclid}) {
      Graph graph = empty_graph(vectors, metric, vectors.count);
      add(vectors, 0, vectors.count, &graph);
      for (std::size_t i = 0; i < vectors.count; i += 7) {
        const std::vector<Node> found = find(graph, vectors[i], 100, 100);
        const bool self = std::ranges::count(found, static_cast<Node>(i)) == 1;
        CHECK((self || metric == Metric::dot));
      }
    }
  }
}

TEST_CASE("every node is found by its own vector") {
  const Vectors vectors(5'000, 4);
  Graph graph = empty_graph(vectors, Metric::cosine, vectors.count);
  add(vectors, 0, vectors.count, &graph);
  for (std::size_t i = 0; i < vectors.count; ++i) {
    CHECK(find(graph, vectors[i], 1, 50) == std::vector{static_cast<Node>(i)});
  }
}

TEST_CASE("a narrow walk ends in the right one of many clusters") {
  // Clusters lie far apart and hold more nodes than the walk keeps.
  constexpr std::size_t kClusters = 100;
  Vectors vectors(10'000, 14);
  test::Random random(15);
  const std::vector<float> centres = random.vector(kClusters * kDimension);
  for (std::size_t i = 0; i < vectors.values.size(); ++i) {
    const std::size_t cluster = i / kDimension % kClusters;
    vectors.values[i] = 4.0f * centres[cluster * kDimension + i % kDimension] +
                        random.uniform();
  }
  Graph graph = empty_graph(vectors, Metric::euclid, vectors.count);
  add(vectors, 0, vectors.count, &graph);
  std::size_t lost = 0;
  for (std::size_t i = 0; i < vectors.count; ++i) {
    lost += find(graph, vectors[i], 1, 16) != std::vector{static_cast<Node>(i)};
  }
  CHECK(lost <= vectors.count / 500);
}

TEST_CASE("something leads to every node but the first") {
  // Many copies of one vector crowd each other out of full lists.
  Vectors vectors(2'000, 5);
  for (std::size_t i = 0; i < 400; ++i) {
    std::copy_n(vectors.values.begin(), kDimension,
                vectors.values.begin() + std::ptrdiff_t(5 * i * kDimension));
  }
  Graph graph = empty_graph(vectors, Metric::euclid, vectors.count);
  add(vectors, 0, vectors.count, &graph);
  std::set<std::int32_t> linked;
  const auto places = graph.links().ground_places(graph.size());
  linked.insert(places.begin(), places.end());
  linked.insert(0);
  linked.erase(LinkTable::kNoNode);
  CHECK(linked.size() == vectors.count);
}

TEST_CASE("the same vectors make the same graph, however often it grew") {
  const Vectors vectors(1'500, 6);
  Graph whole = empty_graph(vectors, Metric::cosine, 2'000);
  add(vectors, 0, 1'500, &whole);
  Graph small = empty_graph(vectors, Metric::cosine, 100);
  add(vectors, 0, 100, &small);
  Graph larger(small, 700);
  add(vectors, 100, 700, &larger);
  Graph largest(larger, 2'000);
  add(vectors, 700, 1'500, &largest);
  CHECK(all_links(largest) == all_links(whole));
}

TEST_CASE("a graph without nodes finds nothing, one of one node finds it") {
  const Vectors vectors(2, 7);
  Graph graph = empty_graph(vectors, Metric::cosine, 2);
  CHECK(find(graph, vectors[0], 10, 10).empty());
  add(vectors, 0, 1, &graph);
  CHECK(find(graph, vectors[1], 10, 10) == std::vector<Node>{0});
}

TEST_CASE("a link behind the end of a list is not taken over") {
  const Vectors vectors(10, 9);
  Graph graph = empty_graph(vectors, Metric::euclid, 2);
  graph.links().ground_places(2)[1] = 1;
  CHECK_FALSE(graph.adopt(2));
  graph.links().ground_places(2)[1] = LinkTable::kNoNode;
  CHECK(graph.adopt(2));
}

TEST_CASE("levels thin out by m and do not depend on the table's size") {
  const LinkTable table(16, 100'000);
  const LinkTable small(16, 1'000);
  std::vector<std::size_t> nodes_on(10, 0);
  for (Node node = 0; node < 100'000; ++node) {
    ++nodes_on[static_cast<std::size_t>(table.level(node))];
    if (node < 1'000) CHECK(small.level(node) == table.level(node));
  }
  CHECK(nodes_on[1] > 5'000);
  CHECK(nodes_on[1] < 6'800);
  CHECK(nodes_on[2] > 250);
  CHECK(nodes_on[2] < 500);
}

TEST_CASE("walks run beside adding and find what was there before") {
  const Vectors vectors(4'000, 8);
  Graph graph = empty_graph(vectors, Metric::cosine, vectors.count);
  add(vectors, 0, 500, &graph);
  std::atomic<bool> done = false;
  std::atomic<std::size_t> lost = 0;
  std::atomic<std::size_t> walks = 0;
  std::vector<std::thread> readers;
  for (std::size_t reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&, reader] {
      for (std::size_t i = reader; !done; i = (i + 1) % 500) {
        const std::vector<Node> found = find(graph, vectors[i], 50, 50);
        if (std::ranges::count(found, static_cast<Node>(i)) != 1) ++lost;
        for (const Node node : found) CHECK(node < vectors.count);
        ++walks;
      }
    });
  }
  add(vectors, 500, vectors.count, &graph);
  done = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(walks > 0);
  CHECK(lost * 100 <= walks);
}

TEST_CASE("near nodes are the nearest of those added, ties by node") {
  test::Random random(9);
  for (std::size_t round = 0; round < 200; ++round) {
    const std::size_t capacity = 1 + random.below(20);
    NearNodes near;
    near.begin(capacity);
    std::vector<std::pair<float, Node>> all;
    for (Node node = 0; node < 40; ++node) {
      const float distance = float(random.below(16)) - 8.0f;
      all.emplace_back(distance, node);
      near.add({distance, node});
      if (random.below(3) == 0) near.follow_next();
    }
    std::sort(all.begin(), all.end());
    REQUIRE(near.nodes().size() == capacity);
    for (std::size_t i = 0; i < capacity; ++i) {
      CHECK(near.nodes()[i].distance() == all[i].first);
      CHECK(near.nodes()[i].node() == all[i].second);
    }
    while (near.follow_next() != nullptr) {
    }
    for (const NearNode& node : near.nodes()) CHECK(node.followed());
  }
}

}  // namespace lamina::search
