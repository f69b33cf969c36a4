// FAISS's graph over float32 vectors, as Debian compiles it.
#include <faiss/IndexHNSW.h>
#include <omp.h>

#include <array>
#include <exception>
#include <memory>
#include <utility>

#include "arms/build_meter.h"
#include "arms/graph_peers.h"

namespace lamina::bench {
namespace {

using Index = faiss::IndexHNSWFlat;

std::shared_ptr<Index> build_index(const NpyMatrix<float>& base) {
  auto index = std::make_shared<Index>(static_cast<int>(base.columns),
                                       static_cast<int>(kGraphLinks),
                                       faiss::METRIC_INNER_PRODUCT);
  index->hnsw.efConstruction = static_cast<int>(kGraphBuildWidth);
  index->add(static_cast<Index::idx_t>(base.rows), base.values.data());
  return index;
}

// This version of FAISS reads the width from the index alone, whatever a call's
// own parameters say.
Status search(Index* index, const float* query, std::size_t width,
              std::span<std::int64_t> rows) try {
  index->hnsw.efSearch = static_cast<int>(width);
  std::array<float, kPeerK> scores;
  index->search(1, query, kPeerK, scores.data(), rows.data());
  return {};
} catch (const std::exception& error) {
  return Status::internal(std::string("FAISS: ") + error.what());
}

}  // namespace

Status add_faiss_hnsw_peers(const PeerData& data, Peers* peers,
                            std::vector<NotMeasured>* not_measured) try {
  omp_set_num_threads(1);
  PeerInfo info{.name = "faiss hnsw"};
  const BuildMeter meter;
  const std::shared_ptr<Index> index = build_index(data.unit_base);
  meter.stop(&info);
  const NpyMatrix<float>& queries = data.unit_queries;
  return add_graph_peers(
      data, info,
      [index, &queries](std::size_t query, std::size_t width,
                        std::span<std::int64_t> rows) {
        return search(index.get(), queries.row(query), width, rows);
      },
      peers, not_measured);
} catch (const std::exception& error) {
  return Status::internal(std::string("FAISS: ") + error.what());
}

}  // namespace lamina::bench
