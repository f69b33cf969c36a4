// What one would write with a BLAS: a matrix product, then the best k.
#include <cblas.h>

#include <utility>

#include "arms/best_scores.h"
#include "arms/build_meter.h"
#include "arms/peer.h"

namespace lamina::bench {
namespace {

class BlasPeer : public Peer {
 public:
  BlasPeer(PeerInfo info, const NpyMatrix<float>& queries,
           std::shared_ptr<const NpyMatrix<float>> base)
      : Peer(std::move(info)),
        queries_(queries),
        base_(std::move(base)),
        scores_(base_->rows * this->info().queries_per_call) {}

  Status search(std::size_t first, std::span<std::int64_t> rows) override {
    const std::size_t count = rows.size() / kPeerK;
    multiply(queries_.row(first), count);
    for (std::size_t i = 0; i < count; ++i) {
      select_best(std::span(scores_).subspan(i * base_->rows, base_->rows),
                  kPeerK, &best_);
      for (std::size_t h = 0; h < best_.size(); ++h)
        rows[i * kPeerK + h] = static_cast<std::int64_t>(best_[h].row);
    }
    return {};
  }

 private:
  void multiply(const float* queries, std::size_t count) {
    const auto rows = static_cast<int>(base_->rows);
    const auto columns = static_cast<int>(base_->columns);
    if (info().queries_per_call == 1) {
      cblas_sgemv(CblasRowMajor, CblasNoTrans, rows, columns, 1.0f,
                  base_->values.data(), columns, queries, 1, 0.0f,
                  scores_.data(), 1);
      return;
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans,
                static_cast<int>(count), rows, columns, 1.0f, queries, columns,
                base_->values.data(), columns, 0.0f, scores_.data(), rows);
  }

  const NpyMatrix<float>& queries_;
  std::shared_ptr<const NpyMatrix<float>> base_;
  std::vector<float> scores_;
  std::vector<RowScore> best_;
};

}  // namespace

Status add_blas_peers(const PeerData& data, Peers* peers) {
  openblas_set_num_threads(1);
  PeerInfo info{.name = "openblas sgemv"};
  const BuildMeter meter;
  auto base = std::make_shared<const NpyMatrix<float>>(data.unit_base);
  meter.stop(&info);
  info.note = std::string("core ") + openblas_get_corename();
  peers->push_back(std::make_unique<BlasPeer>(info, data.unit_queries, base));
  info.name = "openblas sgemm batch 100";
  info.queries_per_call = kPeerBatch;
  peers->push_back(std::make_unique<BlasPeer>(info, data.unit_queries, base));
  return {};
}

}  // namespace lamina::bench
