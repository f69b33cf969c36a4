#include "rows/row_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/quantize.h"
#include "rows/choose_projection.h"

namespace lamina::rows {
namespace {

// Codes are stored with this offset, as VNNI wants one side unsigned.
constexpr int kCodeOffset = 128;

// About 2 MiB of vectors a chunk, in whole blocks of the scan: large enough
// that what is done once a chunk does not show, small enough that coding one
// anew takes a millisecond.
std::size_t rows_per_chunk(std::size_t stride) {
  constexpr std::size_t kChunkBytes = 2u << 20;
  const std::size_t fitting = kChunkBytes / (stride * sizeof(float));
  return std::clamp<std::size_t>(std::bit_floor(fitting + 1),
                                 kernels::kBlockRows, 4096);
}

// A chunk gets a centre when it has this many rows.
constexpr std::size_t kFirstCenterRows = 128;

// A centre must take this part of the squared length away. Codes of what has no
// common direction would gain nothing.
constexpr double kLeastGain = 0.2;

// Axes are chosen when there are this many rows: enough to tell, and few enough
// that scanning whole codes has cost little until then.
constexpr std::size_t kFirstAxesRows = 2048;

// And again each time there are this many times as many rows.
constexpr std::size_t kAxesGrowth = 4;

}  // namespace

RowTable::RowTable(std::size_t dimension, Metric metric,
                   const CodingRules& rules)
    : dimension_(dimension),
      stride_(kernels::padded(dimension)),
      metric_(metric),
      rules_(rules),
      chunk_rows_(rows_per_chunk(stride_)),
      axes_due_(kFirstAxesRows) {}

bool RowTable::has_centers() const {
  return std::any_of(chunks_.begin(), chunks_.end(),
                     [](const std::unique_ptr<Chunk>& chunk) {
                       return chunk->center != nullptr;
                     });
}

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
  set_payload(row, std::move(payload), version);
  if (!existing && std::has_single_bit(offset(row) + 1)) recode_chunk(row);
}

void RowTable::set_payload(Row row, Payload payload, std::uint64_t version) {
  replace_payload(row, std::move(payload));
  chunk(row).versions[offset(row)] = version;
}

void RowTable::replace_payload(Row row, Payload payload) {
  Payload& place = chunk(row).payloads[offset(row)];
  payload_bytes_ -= place.empty() ? 0 : place.json().size();
  payload_bytes_ += payload.empty() ? 0 : payload.json().size();
  place = std::move(payload);
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

  home.lengths[at] = std::sqrt(kernels::active().dot(values, values, stride_));
  write_codes(row);
  if (axis_codes_) axis_codes_->put(row, values, code_factor(row));
}

void RowTable::write_codes(Row row) {
  Chunk& home = chunk(row);
  const std::size_t at = offset(row);
  thread_local std::vector<std::int8_t> codes;
  codes.resize(stride_);
  const kernels::Quantized quantized =
      metric_ == Metric::manhattan
          ? kernels::quantize_on_grid(padded_vector(row), dimension_,
                                      home.center.get(), home.grid_step,
                                      codes.data())
          : kernels::quantize({padded_vector(row), stride_, code_factor(row),
                               home.center.get()},
                              codes.data());
  std::transform(codes.begin(), codes.end(), home.codes.get() + at * stride_,
                 [](std::int8_t code) {
                   return static_cast<std::uint8_t>(code + kCodeOffset);
                 });
  home.scales[at] = quantized.scale;
  home.norms[at] = quantized.norm;
  home.residuals[at] = quantized.residual;
  // Euclid: -|q - x|^2 = 2 z.y - |y|^2 - |z|^2 with y and z taken from the
  // centre.
  home.biases[at] =
      metric_ == Metric::euclid ? static_cast<float>(-quantized.square) : 0.0f;
}

// Done each time the rows of a chunk, of which `last` is the last, have
// doubled: chooses anew what they share, and codes them by it.
void RowTable::recode_chunk(Row last) {
  const Row first = last - static_cast<Row>(offset(last));
  const bool had_center = center(last) != nullptr;
  if (last - first + 1 >= kFirstCenterRows) choose_center(first, last);
  if (metric_ == Metric::manhattan) {
    choose_grid_step(first, last);
  } else if (!had_center && center(last) == nullptr) {
    return;  // Nothing is shared, before or after.
  }
  for (Row row = first; row <= last; ++row) write_codes(row);
}

// The mean of the rows, if taking it away pays.
void RowTable::choose_center(Row first, Row last) {
  const auto count = static_cast<double>(last - first + 1);
  std::vector<double> mean(dimension_, 0.0);
  double square = 0.0;
  for (Row row = first; row <= last; ++row) {
    const double factor = code_factor(row);
    const float* values = padded_vector(row);
    for (std::size_t j = 0; j < dimension_; ++j) {
      mean[j] += double{values[j]} * factor / count;
    }
    square += std::pow(length(row) * factor, 2) / count;
  }
  double taken = 0.0;
  for (const double value : mean) taken += value * value;
  Chunk& home = chunk(last);
  home.center.reset();
  const bool pays = taken > kLeastGain * square;
  if (rules_.center == CodingRule::never) return;
  if (!pays && rules_.center == CodingRule::automatic) return;
  home.center = make_aligned_array<float>(stride_);
  std::copy(mean.begin(), mean.end(), home.center.get());
  home.center_length = std::sqrt(taken);
  std::fill(home.center.get() + dimension_, home.center.get() + stride_, 0.0f);
}

// The finest grid on which every row of now lies.
void RowTable::choose_grid_step(Row first, Row last) {
  double largest = 0.0;
  for (Row row = first; row <= last; ++row) {
    largest =
        std::max(largest, kernels::largest_magnitude(padded_vector(row),
                                                     dimension_, center(row)));
  }
  chunk(last).grid_step = static_cast<float>(largest / 127.0);
}

bool RowTable::erase(const PointId& id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return false;
  const Row hole = found->second;
  const auto last = static_cast<Row>(size_ - 1);
  by_id_.erase(found);
  // Its own goes; the last row's, if it moved, is counted once.
  replace_payload(hole, Payload());
  if (hole != last) move_row(last, hole);
  chunk(last).payloads[offset(last)] = Payload();
  --size_;
  // One empty chunk is kept, lest a point that comes and goes at the border
  // allocates each time.
  if (chunks_.size() * chunk_rows_ >= size_ + 2 * chunk_rows_) {
    chunks_.pop_back();
  }
  if (axis_codes_) axis_codes_->shrink(size_);
  return true;
}

void RowTable::move_row(Row from, Row to) {
  const Chunk& source = chunk(from);
  Chunk& target = chunk(to);
  const std::size_t i = offset(from);
  const std::size_t j = offset(to);
  std::copy_n(source.vectors.get() + i * stride_, stride_,
              target.vectors.get() + j * stride_);
  target.lengths[j] = source.lengths[i];
  target.ids[j] = source.ids[i];
  target.payloads[j] = source.payloads[i];
  target.versions[j] = source.versions[i];
  by_id_[target.ids[j]] = to;
  write_codes(to);  // The two chunks may have different centres.
  if (axis_codes_) axis_codes_->move(from, to);
}

std::unique_ptr<AxisCodes> RowTable::make_axis_codes() const {
  std::shared_ptr<const Projection> projection =
      choose_projection(*this, rules_.axes);
  if (!projection) return nullptr;
  auto codes =
      std::make_unique<AxisCodes>(std::move(projection), metric_, chunk_rows_);
  for (Row row = 0; row < size_; ++row) {
    codes->put(row, padded_vector(row), code_factor(row));
  }
  return codes;
}

void RowTable::set_axis_codes(std::unique_ptr<AxisCodes> codes) {
  axis_codes_ = std::move(codes);
  axes_due_ = std::max(size_, kFirstAxesRows) * kAxesGrowth;
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
