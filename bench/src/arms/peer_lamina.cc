// Lamina through its public interface: locks, validation and all.
#include <utility>

#include "arms/build_meter.h"
#include "arms/peer.h"
#include "lamina/database.h"

namespace lamina::bench {
namespace {

constexpr std::size_t kPointsPerWrite = 10'000;

// A database without files and its one collection.
struct Index {
  std::unique_ptr<Database> database;
  std::shared_ptr<Collection> collection;
};

Result<std::shared_ptr<Index>> build_index(const DataSet& set) {
  auto index = std::make_shared<Index>();
  index->database = Database::in_memory();
  Result<std::shared_ptr<Collection>> collection =
      index->database->create_collection("peers",
                                         {.dimension = set.base.columns});
  if (!collection.ok()) return collection.status();
  index->collection = *std::move(collection);
  std::vector<Point> points;
  for (std::size_t row = 0; row < set.base.rows; ++row) {
    points.push_back({.id = row, .vector = set.vector(row)});
    if (points.size() < kPointsPerWrite && row + 1 < set.base.rows) continue;
    const Status written = index->collection->upsert(points).status();
    if (!written.ok()) return written;
    points.clear();
  }
  return index;
}

std::int64_t row_of(const Hit& hit) {
  return static_cast<std::int64_t>(hit.id.number());
}

class LaminaPeer : public Peer {
 public:
  LaminaPeer(PeerInfo info, const DataSet& set, std::shared_ptr<Index> index)
      : Peer(std::move(info)),
        set_(set),
        index_(std::move(index)),
        hits_(kPeerK) {}

  Status search(std::size_t first, std::span<std::int64_t> rows) override {
    const Result<std::size_t> count = index_->collection->query_into(
        set_.query(first), {.top_k = kPeerK, .threads = info().threads}, hits_);
    if (!count.ok()) return count.status();
    for (std::size_t i = 0; i < *count; ++i) rows[i] = row_of(hits_[i]);
    return {};
  }

 private:
  const DataSet& set_;
  std::shared_ptr<Index> index_;
  std::vector<Hit> hits_;
};

class LaminaBatchPeer : public Peer {
 public:
  LaminaBatchPeer(PeerInfo info, const DataSet& set,
                  std::shared_ptr<Index> index)
      : Peer(std::move(info)), set_(set), index_(std::move(index)) {}

  Status search(std::size_t first, std::span<std::int64_t> rows) override {
    vectors_.clear();
    for (std::size_t i = 0; i < rows.size() / kPeerK; ++i)
      vectors_.push_back(set_.query(first + i));
    const Result<std::vector<std::vector<Hit>>> answers =
        index_->collection->query_batch(vectors_, {.top_k = kPeerK});
    if (!answers.ok()) return answers.status();
    for (std::size_t i = 0; i < answers->size(); ++i) {
      const std::vector<Hit>& hits = (*answers)[i];
      for (std::size_t h = 0; h < hits.size(); ++h)
        rows[i * kPeerK + h] = row_of(hits[h]);
    }
    return {};
  }

 private:
  const DataSet& set_;
  std::shared_ptr<Index> index_;
  std::vector<VectorView> vectors_;
};

}  // namespace

Status add_lamina_peers(const PeerData& data, Peers* peers) {
  PeerInfo info{.name = "lamina flat"};
  const BuildMeter meter;
  Result<std::shared_ptr<Index>> index = build_index(data.set);
  if (!index.ok()) return index.status();
  meter.stop(&info);
  peers->push_back(std::make_unique<LaminaPeer>(info, data.set, *index));
  if (data.set.base.rows >= kThreadRows) {
    info.name = "lamina flat 2 threads";
    info.threads = 2;
    peers->push_back(std::make_unique<LaminaPeer>(info, data.set, *index));
    info.threads = 1;
  }
  info.name = "lamina flat batch 100";
  info.queries_per_call = kPeerBatch;
  peers->push_back(std::make_unique<LaminaBatchPeer>(info, data.set, *index));
  return {};
}

}  // namespace lamina::bench
