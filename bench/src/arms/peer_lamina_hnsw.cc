// A collection with a graph, through the public interface.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "arms/build_meter.h"
#include "arms/graph_peers.h"
#include "core/clock.h"
#include "core/workplace.h"
#include "lamina/database.h"

namespace lamina::bench {
namespace {

constexpr std::size_t kPointsPerWrite = 10'000;

constexpr std::string_view kCollection = "peers";

struct Index {
  explicit Index(const std::filesystem::path& work_directory)
      : place(work_directory, "hnsw") {}

  Workplace place;  // First: it outlives the database.
  std::unique_ptr<Database> database;
  std::shared_ptr<Collection> collection;
  std::vector<Hit> hits{kPeerK};
};

Status fill(const DataSet& set, Collection* collection) {
  std::vector<Point> points;
  for (std::size_t row = 0; row < set.base.rows; ++row) {
    points.push_back({.id = row, .vector = set.vector(row)});
    if (points.size() < kPointsPerWrite && row + 1 < set.base.rows) continue;
    const Status written = collection->upsert(points, {}).status();
    if (!written.ok()) return written;
    points.clear();
  }
  return {};
}

Status wait_until_linked(const Collection& collection) {
  for (;;) {
    const Result<CollectionInfo> info = collection.info();
    if (!info.ok()) return info.status();
    if (info->linked_count == info->point_count) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Status open(Index* index) {
  Result<std::unique_ptr<Database>> database =
      Database::open(index->place.path());
  if (!database.ok()) return database.status();
  index->database = *std::move(database);
  return {};
}

Result<std::shared_ptr<Index>> build_index(const PeerData& data) {
  const DataSet& set = data.set;
  auto index = std::make_shared<Index>(data.work_directory);
  if (Status opened = open(index.get()); !opened.ok()) return opened;
  const CollectionOptions options{
      .dimension = set.base.columns,
      .hnsw = HnswOptions{.m = kGraphLinks,
                          .ef_construct = kGraphBuildWidth,
                          .full_scan_threshold = 1'000}};
  Result<std::shared_ptr<Collection>> collection =
      index->database->create_collection(kCollection, options);
  if (!collection.ok()) return collection.status();
  index->collection = *std::move(collection);
  Status built = fill(set, index->collection.get());
  if (built.ok()) built = wait_until_linked(*index->collection);
  if (!built.ok()) return built;
  return index;
}

// Closing is not timed; from opening on until every point is in the graph is.
Status reopen(Index* index, PeerInfo* info) {
  index->collection.reset();
  index->database.reset();
  const Nanoseconds start = wall_now();
  Status opened = open(index);
  if (!opened.ok()) return opened;
  Result<std::shared_ptr<Collection>> collection =
      index->database->open_collection(kCollection);
  if (!collection.ok()) return collection.status();
  index->collection = *std::move(collection);
  Status linked = wait_until_linked(*index->collection);
  info->reopen_s = static_cast<double>(wall_now() - start) * 1e-9;
  return linked;
}

Status search(Index* index, VectorView query, std::size_t width,
              std::span<std::int64_t> rows) {
  const QueryOptions options{.top_k = kPeerK,
                             .hnsw_ef = static_cast<std::uint32_t>(width)};
  const Result<std::size_t> count =
      index->collection->query_into(query, options, index->hits);
  if (!count.ok()) return count.status();
  for (std::size_t i = 0; i < *count; ++i)
    rows[i] = static_cast<std::int64_t>(index->hits[i].id.number());
  return {};
}

}  // namespace

Status add_lamina_hnsw_peers(const PeerData& data, Peers* peers,
                             std::vector<NotMeasured>* not_measured) {
  PeerInfo info{.name = "lamina hnsw"};
  const BuildMeter meter;
  Result<std::shared_ptr<Index>> index = build_index(data);
  if (!index.ok()) return index.status();
  meter.stop(&info);
  Status reopened = reopen(index->get(), &info);
  if (!reopened.ok()) return reopened;
  const DataSet& set = data.set;
  return add_graph_peers(
      data, info,
      [index = *index, &set](std::size_t query, std::size_t width,
                             std::span<std::int64_t> rows) {
        return search(index.get(), set.query(query), width, rows);
      },
      peers, not_measured);
}

}  // namespace lamina::bench
