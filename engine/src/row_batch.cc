#include "row_batch.h"

#include "storage/record_body.h"

namespace lamina {
namespace {

constexpr std::size_t kBatchBytes = 1u << 20;

}  // namespace

RowBatch RowBatch::after(const std::optional<PointId>& last,
                         const rows::RowTable& rows) {
  RowBatch batch;
  batch.dimension_ = rows.dimension();
  const auto& by_id = rows.by_id();
  std::size_t bytes = 0;
  for (auto at = last ? by_id.upper_bound(*last) : by_id.begin();
       at != by_id.end() && bytes < kBatchBytes; ++at) {
    const auto& [id, row] = *at;
    const VectorView vector = rows.vector(row);
    const Payload& payload = rows.payload(row);
    batch.values_.insert(batch.values_.end(), vector.begin(), vector.end());
    batch.points_.push_back({id, {}, payload});
    batch.versions_.push_back(rows.version(row));
    bytes += storage::row_bytes(rows.dimension()) + payload.json().size();
  }
  // Once the values move no more.
  for (std::size_t i = 0; i < batch.points_.size(); ++i) {
    batch.points_[i].vector = {batch.values_.data() + i * batch.dimension_,
                               batch.dimension_};
  }
  return batch;
}

std::string RowBatch::encode() const {
  return storage::encode_rows_record(points_, versions_, dimension_);
}

}  // namespace lamina
