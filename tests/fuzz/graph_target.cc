#include <array>
#include <cstring>
#include <numeric>

#include "fuzz/record_bytes.h"
#include "fuzz/scratch.h"
#include "fuzz/targets.h"
#include "graph_file.h"

namespace lamina::fuzz {
namespace {

constexpr std::size_t kDimension = 3;
constexpr std::size_t kRows = 24;
constexpr HnswOptions kOptions{
    .m = 4, .ef_construct = 12, .full_scan_threshold = 6};

// Rows that a graph can be of; the last ones changed after the first write.
class Rows {
 public:
  Rows() {
    const test::RandomPoints points(kRows, kDimension, 1);
    for (const Point& point : points.points()) {
      table_.put(point.id, point.vector, Payload(), ++version_);
    }
  }
  const rows::RowTable& table() const { return table_; }
  std::uint64_t version() const { return version_; }

 private:
  rows::RowTable table_{kDimension, Metric::cosine};
  std::uint64_t version_ = 0;
};

const Rows& the_rows() {
  static const Rows rows;
  return rows;
}

void link_all(search::LiveGraph* graph) {
  for (auto batch = graph->take(); !batch.tickets.empty();
       batch = graph->take()) {
    graph->link(batch);
    graph->publish(batch);
  }
}

void check_answers(const search::LiveGraph& graph) {
  const rows::RowTable& table = the_rows().table();
  for (rows::Row row = 0; row < table.size(); row += 5) {
    search::FlatQuery query{.vector = table.vector(row), .k = 3};
    if (!graph.search({}, nullptr, &query)) continue;
    check(query.best.size() <= 3, "no more are found than wanted");
    for (const search::ScoredRow& found : query.best) {
      check(found.row < table.size(), "what is found is a row");
    }
  }
}

void run(std::string_view input) {
  const std::filesystem::path path = write_scratch("graph", input);
  search::LiveGraph graph(the_rows().table(), kOptions);
  const Status loaded = load_graph(path, the_rows().version(), &graph);
  check(loaded.ok() == (graph.index().graph() != nullptr),
        "a graph is taken over whole or not at all");
  check(graph.index().live_count() + graph.index().pending_count() == kRows,
        "each row is a node or pending");
  if (!loaded.ok()) return;
  check_answers(graph);
  link_all(&graph);
  check(graph.index().pending_count() == 0,
        "a loaded graph can be gone on with");
  check_answers(graph);
}

// Each section but the header, of a file of so many nodes; each has its
// checksum behind.
std::array<std::size_t, 7> section_bytes(std::size_t nodes) {
  const std::size_t stride = the_rows().table().stride();
  const search::LinkTable links(kOptions.m, nodes);
  return {64,
          stride * sizeof(float),
          nodes * stride,
          nodes * sizeof(search::NodeCodes::Terms),
          links.ground_places(nodes).size_bytes(),
          links.upper_places(nodes).size_bytes(),
          nodes * 17};
}

std::size_t node_count(const std::string& bytes) {
  std::uint64_t count = 0;
  constexpr std::size_t kOffset = 32;
  if (bytes.size() < kOffset + sizeof count) return 0;
  std::memcpy(&count, bytes.data() + kOffset, sizeof count);
  return count <= 4 * kRows ? count : 0;
}

// Changes one section and leaves it as long as the number of nodes wants it.
void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  if (random->below(8) == 0) return change_bytes(input);
  const std::size_t target = random->below(7);
  std::string changed;
  std::size_t at = 0;
  std::size_t index = 0;
  // The header may say another number once it is changed.
  std::array<std::size_t, 7> sizes = section_bytes(node_count(*input));
  for (; index < sizes.size(); ++index) {
    std::string section =
        at < input->size() ? input->substr(at, sizes[index]) : "";
    at += sizes[index] + sizeof(std::uint32_t);
    if (index == target) change_bytes(&section);
    section.resize(sizes[index]);
    if (index == 0) sizes = section_bytes(node_count(section));
    section.resize(sizes[index] + sizeof(std::uint32_t));
    seal_with_crc(&section);
    changed += section;
  }
  *input = std::move(changed);
}

// Puts a link behind the end of each list that has an end and room.
void add_links_behind_ends(std::string* bytes) {
  constexpr std::size_t kGroundSection = 4;
  constexpr std::size_t kPlaces = 2 * kOptions.m;
  const std::array<std::size_t, 7> sizes = section_bytes(kRows);
  std::size_t at = 0;
  for (std::size_t index = 0; index < kGroundSection; ++index) {
    at += sizes[index] + sizeof(std::uint32_t);
  }
  std::vector<std::int32_t> places(kRows * kPlaces);
  std::string section = bytes->substr(at, sizes[kGroundSection] + 4);
  std::memcpy(places.data(), section.data(), sizes[kGroundSection]);
  for (std::size_t i = 1; i < places.size(); ++i) {
    const bool is_end = places[i - 1] == search::LinkTable::kNoNode;
    if (is_end && i % kPlaces != 0) places[i++] = 0x7fffff00;
  }
  std::memcpy(section.data(), places.data(), sizes[kGroundSection]);
  seal_with_crc(&section);
  bytes->replace(at, section.size(), section);
}

std::vector<std::string> seeds() {
  search::LiveGraph graph(the_rows().table(), kOptions);
  const auto batch = graph.take();
  graph.link(batch);
  graph.publish(batch);
  const std::filesystem::path path = scratch() / "graph.seed";
  rows::FairSharedMutex mutex;
  check(save_graph(path, graph, mutex).ok(), "a graph is saved");
  const std::string whole = read_whole(path);
  std::string with_dead_nodes = whole;
  // Ids are last: a node of no row, and one of a row that is not there.
  const std::size_t ids = whole.size() - sizeof(std::uint32_t) - kRows * 17;
  with_dead_nodes[ids] = 0;
  with_dead_nodes[ids + 17] = 2;
  std::string section = with_dead_nodes.substr(ids);
  seal_with_crc(&section);
  with_dead_nodes.replace(ids, section.size(), section);
  std::string with_loose_links = with_dead_nodes;
  add_links_behind_ends(&with_loose_links);
  return {whole, with_dead_nodes, with_loose_links,
          whole.substr(0, whole.size() / 2)};
}

}  // namespace

Target graph_target() {
  return {
      .name = "graph",
      .what =
          "The file of a graph, its checksums set right after most "
          "changes. It is taken over whole or not at all; what then "
          "answers queries and goes on being built names only rows "
          "that there are.",
      .run = run,
      .seeds = seeds,
      .words = {"LAMGRAPH", std::string("\xff\xff\xff\xff", 4),
                std::string("\x17\0\0\0", 4), std::string("\0\0\xc0\x7f", 4),
                std::string("\0\0\0\0\0\0\xf8\x7f", 8)},
      .most_bytes = 8192,
      .change = change};
}

}  // namespace lamina::fuzz
