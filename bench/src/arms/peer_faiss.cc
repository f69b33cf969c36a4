// FAISS's flat index, as Debian compiles it. FAISS is built for any x86-64 CPU
// there; a build for this one would be faster.
#include <faiss/IndexFlat.h>
#include <omp.h>

#include <exception>
#include <utility>

#include "arms/build_meter.h"
#include "arms/peer.h"

namespace lamina::bench {
namespace {

using Index = faiss::IndexFlatIP;

class FaissPeer : public Peer {
 public:
  FaissPeer(PeerInfo info, const NpyMatrix<float>& queries,
            std::shared_ptr<const Index> index)
      : Peer(std::move(info)),
        queries_(queries),
        index_(std::move(index)),
        scores_(kPeerK * kPeerBatch) {}

  Status search(std::size_t first, std::span<std::int64_t> rows) override try {
    const auto count = static_cast<Index::idx_t>(rows.size() / kPeerK);
    index_->search(count, queries_.row(first), kPeerK, scores_.data(),
                   rows.data());
    return {};
  } catch (const std::exception& error) {
    return Status::internal(std::string("FAISS: ") + error.what());
  }

 private:
  const NpyMatrix<float>& queries_;
  std::shared_ptr<const Index> index_;
  std::vector<float> scores_;
};

}  // namespace

Status add_faiss_peers(const PeerData& data, Peers* peers) try {
  omp_set_num_threads(1);
  PeerInfo info{.name = "faiss flat"};
  const NpyMatrix<float>& base = data.unit_base;
  const BuildMeter meter;
  auto index = std::make_shared<Index>(static_cast<Index::idx_t>(base.columns));
  index->add(static_cast<Index::idx_t>(base.rows), base.values.data());
  meter.stop(&info);
  info.note = "FAISS " + std::to_string(FAISS_VERSION_MAJOR) + "." +
              std::to_string(FAISS_VERSION_MINOR) + "." +
              std::to_string(FAISS_VERSION_PATCH);
  peers->push_back(std::make_unique<FaissPeer>(info, data.unit_queries, index));
  info.name = "faiss flat batch 100";
  info.queries_per_call = kPeerBatch;
  peers->push_back(std::make_unique<FaissPeer>(info, data.unit_queries, index));
  return {};
} catch (const std::exception& error) {
  return Status::internal(std::string("FAISS: ") + error.what());
}

}  // namespace lamina::bench
