#include "rows/row_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/quantize.h"

namespace lamina::rows {
namespace {

// Codes are stored with this offset, as VNNI wants one side unsigned.
constexpr int kCodeOffset = 128;

// About 8 MiB of vectors a chunk, in whole blocks of the scan.
std::size_t rows_per_chunk(std::size_t stride) {
  constexpr std::size_t kChunkBytes = 8u << 20;
  const std::size_t fitting = kChunkBytes / (stride * sizeof(float));
  const std::size_t blocks =
      std::clamp<std::size_t>(fitting / kernels::kBlockRows, 1, 64);
  return blocks * kernels::kBlockRows;
}

}  // namespace

RowTable::RowTable(std::size_t dimension, Metric metric)
    : dimension_(dimension),
      stride_(kernels::padded(dimension)),
      metric_(metric),
      chunk_rows_(rows_per_chunk(stride_)) {}

std::optional<Row> RowTable::find(const PointId& id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return found->second;
}

void RowTable::put(const PointId& id, VectorView vector, Payload payload,
                   std::uint64_t version) {
  assert(vector.size() == dimension_);
  const std::optional<Row> existing = find(id);
  const Row row = existing ? *existing : append_row(id);
  write_vector(row, vector);
  chunk(row).payloads[offset(row)] = std::move(payload);
  chunk(row).versions[offset(row)] = version;
}

Row RowTable::append_row(const PointId& id) {
  if (size_ == chunks_.size() * chunk_rows_) {
    auto fresh = std::make_unique<Chunk>();
    fresh->vectors = make_aligned_array<float>(chunk_rows_ * stride_);
    fresh->codes = make_aligned_array<std::uint8_t>(chunk_rows_ * stride_);
    fresh->scales = make_aligned_array<float>(chunk_rows_);
    fresh->norms = make_aligned_array<float>(chunk_rows_);
    fresh->residuals = make_aligned_array<float>(chunk_rows_);
    fresh->biases = make_aligned_array<float>(chunk_rows_);
    fresh->lengths.resize(chunk_rows_);
    fresh->ids.resize(chunk_rows_);
    fresh->payloads.resize(chunk_rows_);
    fresh->versions.resize(chunk_rows_);
    chunks_.push_back(std::move(fresh));
  }
  const auto row = static_cast<Row>(size_);
  by_id_.emplace(id, row);
  chunk(row).ids[offset(row)] = id;
  ++size_;
  return row;
}

void RowTable::write_vector(Row row, VectorView vector) {
  Chunk& home = chunk(row);
  const std::size_t at = offset(row);
  float* values = home.vectors.get() + at * stride_;
  std::copy(vector.begin(), vector.end(), values);
  std::fill(values + dimension_, values + stride_, 0.0f);

  const double square = kernels::active().dot(values, values, stride_);
  home.lengths[at] = std::sqrt(square);
  // Cosine compares directions, so its rows are quantised at length 1.
  const double factor =
      metric_ == Metric::cosine ? 1.0 / home.lengths[at] : 1.0;
  thread_local std::vector<std::int8_t> codes;
  codes.resize(stride_);
  const kernels::Quantized quantized =
      kernels::quantize(values, dimension_, factor, codes.data());
  std::transform(codes.begin(), codes.end(), home.codes.get() + at * stride_,
                 [](std::int8_t code) {
                   return static_cast<std::uint8_t>(code + kCodeOffset);
                 });
  home.scales[at] = quantized.scale;
  home.norms[at] = quantized.norm;
  home.residuals[at] = quantized.residual;
  // Euclid ranks by 2 q.x - |x|^2, which orders as -|q - x| does.
  home.biases[at] =
      metric_ == Metric::euclid ? static_cast<float>(-square) : 0.0f;
}

bool RowTable::erase(const PointId& id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return false;
  const Row hole = found->second;
  const auto last = static_cast<Row>(size_ - 1);
  by_id_.erase(found);
  if (hole != last) move_row(last, hole);
  chunk(last).payloads[offset(last)] = Payload();
  --size_;
  // One empty chunk is kept, lest a point that comes and goes at the border
  // allocates each time.
  if (chunks_.size() * chunk_rows_ >= size_ + 2 * chunk_rows_) {
    chunks_.pop_back();
  }
  return true;
}

void RowTable::move_row(Row from, Row to) {
  const Chunk& source = chunk(from);
  Chunk& target = chunk(to);
  const std::size_t i = offset(from);
  const std::size_t j = offset(to);
  std::copy_n(source.vectors.get() + i * stride_, stride_,
              target.vectors.get() + j * stride_);
  std::copy_n(source.codes.get() + i * stride_, stride_,
              target.codes.get() + j * stride_);
  target.scales[j] = source.scales[i];
  target.norms[j] = source.norms[i];
  target.residuals[j] = source.residuals[i];
  target.biases[j] = source.biases[i];
  target.lengths[j] = source.lengths[i];
  target.ids[j] = source.ids[i];
  target.payloads[j] = source.payloads[i];
  target.versions[j] = source.versions[i];
  by_id_[target.ids[j]] = to;
}

kernels::CodedRows RowTable::coded_rows(Row first) const {
  const Chunk& home = chunk(first);
  const std::size_t at = offset(first);
  // Chunks hold whole blocks, so a block never straddles two.
  const std::size_t count =
      std::min({kernels::kBlockRows, size_ - first, chunk_rows_ - at});
  return {home.codes.get() + at * stride_,
          stride_,
          home.scales.get() + at,
          home.norms.get() + at,
          home.residuals.get() + at,
          home.biases.get() + at,
          count};
}

}  // namespace lamina::rows
