#include "graph_builder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "graph_file.h"
#include "rows/row_table.h"
#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 16;
constexpr HnswOptions kOptions{
    .m = 8, .ef_construct = 60, .full_scan_threshold = 100};

// Rows with a graph, as a collection has them; the builder comes and goes.
struct Rows {
  Rows() : graph(std::make_unique<search::LiveGraph>(table, kOptions)) {}

  void put(const PointId& id, VectorView vector) {
    {
      const auto lock = mutex.write_lock();
      table.put(id, vector, Payload(), ++version);
      graph->put(*table.find(id));
    }
    if (builder) builder->wake();
  }
  void put_all(std::span<const Point> points) {
    for (const Point& point : points) put(point.id, point.vector);
  }
  void erase(const PointId& id) {
    {
      const auto lock = mutex.write_lock();
      const std::optional<rows::Row> row = table.find(id);
      if (!row) return;
      table.erase(id);
      graph->erase(*row);
    }
    if (builder) builder->wake();
  }
  void start(const std::filesystem::path& file = {}) {
    builder = std::make_unique<GraphBuilder>(graph.get(), &mutex, file);
  }
  void link_all() {
    if (!builder) start();
    builder->wait_until_idle();
  }

  // The best hit, by the graph; absent when a scan must decide.
  std::optional<PointId> nearest(VectorView vector) {
    const auto lock = mutex.read_lock();
    search::FlatQuery query{.vector = vector, .k = 1};
    if (!graph->search({}, nullptr, &query)) return std::nullopt;
    return table.id(query.best.at(0).row);
  }
  // How many rows are found by their own vector.
  std::size_t found_count() {
    std::size_t found = 0;
    for (rows::Row row = 0; row < table.size(); ++row) {
      const VectorView stored = table.vector(row);
      const std::vector<float> own(stored.begin(), stored.end());
      if (nearest(own) == table.id(row)) ++found;
    }
    return found;
  }

  rows::RowTable table{kDimension, Metric::cosine};
  rows::FairSharedMutex mutex;
  std::unique_ptr<search::LiveGraph> graph;
  std::unique_ptr<GraphBuilder> builder;
  std::uint64_t version = 0;
};

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(bytes).str();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

TEST_CASE("no graph is built while the rows are few") {
  const test::RandomPoints points(101, kDimension, 1);
  Rows rows;
  rows.put_all(points.points().first(100));
  rows.link_all();
  CHECK(rows.graph->index().graph() == nullptr);
  CHECK(rows.nearest(points.vector(3)) == std::nullopt);
  rows.put_all(points.points().subspan(100));
  rows.link_all();
  CHECK(rows.graph->index().node_count() == 101);
  CHECK(rows.nearest(points.vector(3)) == PointId(3));
}

TEST_CASE("the builder links rows that were there and rows that come") {
  const test::RandomPoints points(2'000, kDimension, 2);
  Rows rows;
  rows.put_all(points.points().first(1'500));
  rows.link_all();
  CHECK(rows.graph->index().pending_count() == 0);
  CHECK(rows.found_count() == 1'500);
  rows.put_all(points.points().subspan(1'500));
  rows.link_all();
  CHECK(rows.graph->index().pending_count() == 0);
  CHECK(rows.found_count() == 2'000);
}

TEST_CASE("an exact query is left to a scan") {
  const test::RandomPoints points(200, kDimension, 3);
  Rows rows;
  rows.put_all(points.points());
  rows.link_all();
  search::FlatQuery query{.vector = points.vector(0), .k = 1};
  CHECK(rows.graph->search({}, nullptr, &query));
  CHECK(!rows.graph->search({.exact = true}, nullptr, &query));
}

TEST_CASE("a graph of dead nodes is replaced, and answers stay whole") {
  const test::RandomPoints points(6'000, kDimension, 4);
  Rows rows;
  rows.start();
  rows.put_all(points.points().first(2'000));
  rows.link_all();
  for (std::size_t i = 0; i < 1'000; ++i) rows.erase(i);
  for (std::size_t i = 0; i < 500; ++i) {
    rows.put(1'000 + i, points.vector(3'000 + i));
  }
  rows.link_all();
  const search::GraphIndex& index = rows.graph->index();
  CHECK(index.dead_count() * 4 <= index.node_count());
  CHECK(index.node_count() - index.dead_count() == 1'000);
  CHECK(rows.found_count() == 1'000);
}

TEST_CASE("readers and writers go on while the graph is built and replaced") {
  const test::RandomPoints points(3'000, kDimension, 5);
  Rows rows;
  rows.start();
  rows.put_all(points.points().first(1'200));
  std::atomic<bool> done = false;
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> readers;
  for (std::size_t reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&, reader] {
      // Ids 0 to 199 are left alone by the writer below.
      for (std::size_t i = reader; !done; i = (i + 1) % 200) {
        const std::optional<PointId> found = rows.nearest(points.vector(i));
        if (found && *found != PointId(i)) ++wrong;
      }
    });
  }
  for (std::size_t i = 0; i < 1'800; ++i) {
    rows.put(200 + i % 1'000, points.vector(1'200 + i));
    if (i % 3 == 0) rows.erase(200 + (i * 7) % 1'000);
  }
  rows.link_all();
  done = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(wrong == 0);
  CHECK(rows.found_count() == rows.table.size());
}

TEST_CASE("one builder makes the same graph, whenever it ran") {
  const test::RandomPoints points(1'500, kDimension, 6);
  Rows rows[2];
  rows[0].start();  // Runs beside the writes.
  for (Rows& each : rows) {
    each.put_all(points.points());
    each.link_all();
  }
  const auto links = [&](Rows& each) {
    const auto places =
        each.graph->index().graph()->links().ground_places(1'500);
    return std::vector<std::int32_t>(places.begin(), places.end());
  };
  CHECK(links(rows[0]) == links(rows[1]));
}

TEST_CASE("a kept graph is read back, and what changed since is linked anew") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "graph.lam";
  const test::RandomPoints points(1'000, kDimension, 7);
  Rows rows;
  rows.put_all(points.points().first(600));
  rows.put(PointId::from_name("a name"), points.vector(600));
  rows.start(file);
  rows.link_all();
  rows.builder.reset();  // Keeps it.
  REQUIRE(std::filesystem::exists(file));
  rows.erase(5);
  rows.put(7, points.vector(700));
  rows.put(1'000, points.vector(701));

  rows.graph = std::make_unique<search::LiveGraph>(rows.table, kOptions);
  REQUIRE(load_graph(file, rows.version, rows.graph.get()).ok());
  CHECK(rows.graph->index().node_count() == 601);
  CHECK(rows.graph->index().dead_count() == 2);
  CHECK(rows.graph->index().pending_count() == 2);
  CHECK(rows.found_count() == 601);
  rows.link_all();
  CHECK(rows.graph->index().pending_count() == 0);
  CHECK(rows.found_count() == 601);
}

TEST_CASE("a graph of another history or another shape is not taken") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "graph.lam";
  const test::RandomPoints points(200, kDimension, 8);
  Rows rows;
  rows.put_all(points.points());
  CHECK(load_graph(file, 200, rows.graph.get()).code() ==
        StatusCode::not_found);
  rows.start(file);
  rows.link_all();
  rows.builder.reset();
  CHECK(load_graph(file, 199, rows.graph.get()).code() ==
        StatusCode::data_loss);
  HnswOptions other = kOptions;
  other.m = 9;
  search::LiveGraph wider(rows.table, other);
  CHECK(load_graph(file, 200, &wider).code() == StatusCode::data_loss);
  rows::RowTable dot(kDimension, Metric::dot);
  search::LiveGraph by_dot(dot, kOptions);
  CHECK(load_graph(file, 200, &by_dot).code() == StatusCode::data_loss);
  CHECK(by_dot.index().node_count() == 0);
}

TEST_CASE("a file that is damaged at any byte or cut anywhere is refused") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "graph.lam";
  const test::RandomPoints points(101, kDimension, 9);
  Rows rows;
  rows.put_all(points.points());
  rows.start(file);
  rows.link_all();
  rows.builder.reset();
  const std::string bytes = read_file(file);
  search::LiveGraph fresh(rows.table, kOptions);
  for (std::size_t at = 0; at < bytes.size(); at += 1 + at / 200) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write_file(file, damaged);
    CHECK(load_graph(file, 101, &fresh).code() == StatusCode::data_loss);
    write_file(file, std::string_view(bytes).substr(0, at));
    CHECK(load_graph(file, 101, &fresh).code() == StatusCode::data_loss);
  }
  write_file(file, bytes + "x");
  CHECK(load_graph(file, 101, &fresh).code() == StatusCode::data_loss);
  CHECK(fresh.index().node_count() == 0);
  write_file(file, bytes);
  CHECK(load_graph(file, 101, &fresh).ok());
  CHECK(fresh.index().node_count() == 101);
}

}  // namespace lamina
