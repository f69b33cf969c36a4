#include "rows/row_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

#include "kernels/quantize.h"
#include "rows/choose_projection.h"
#include "rows/sole_owner.h"

namespace lamina::rows {
namespace {

// Codes are stored with this offset, as VNNI wants one side unsigned.
constexpr int kCodeOffset = 128;

// A chunk gets a centre when it has this many rows.
constexpr std::size_t kFirstCenterRows = 128;

// A centre must take this part of the squared length away. Codes of what has no
// common direction would gain nothing.
constexpr double kLeastGain = 0.2;

// The most pieces that are copied ahead of a change; the rest is copied while
// it is made. Bounds the memory, about 200 KiB each and their chunks.
constexpr std::size_t kMostCopies = 256;

// Axes are chosen when there are this many rows: enough to tell, and few enough
// that scanning whole codes has cost little until then.
constexpr std::size_t kFirstAxesRows = 2048;

// And again each time there are this many times as many rows.
constexpr std::size_t kAxesGrowth = 4;

}  // namespace

RowTable::RowTable(std::size_t dimension, Metric metric,
                   const CodingRules& rules)
    : RowView(dimension, metric), rules_(rules), axes_due_(kFirstAxesRows) {}

void RowTable::begin_change() {
  std::erase_if(replaced_,
                [](const auto& view) { return is_sole_owner(view); });
  std::shared_ptr<const RowView> view = view_.exchange(nullptr);
  // What is being read stays to be read; what changes of it is copied.
  if (view && !is_sole_owner(view)) view_.exchange(std::move(view));
}

void RowTable::end_change() {
  std::shared_ptr<const RowView> old =
      view_.exchange(std::make_shared<const RowView>(*this));
  if (old) replaced_.push_back(std::move(old));
}

void RowTable::clear() {
  begin_change();
  chunks_.clear();
  axis_codes_.reset();
  by_id_.clear();
  size_ = 0;
  payload_bytes_ = 0;
  axes_due_ = kFirstAxesRows;
  end_change();
}

// There is room for all rows of a piece and of a chunk, and only some may be
// there: all is copied, whatever it is.
std::shared_ptr<RowView::Piece> RowTable::copy_of(const Piece& of) const {
  auto copy = std::make_shared<Piece>(new_piece());
  std::copy_n(of.vectors.get(), piece_rows_ * stride_, copy->vectors.get());
  copy->lengths = of.lengths;
  copy->ids = of.ids;
  copy->payloads = of.payloads;
  copy->versions = of.versions;
  return copy;
}

std::shared_ptr<RowView::Chunk> RowTable::copy_of(const Chunk& of) const {
  auto copy = std::make_shared<Chunk>(new_chunk());
  if (of.center) {
    copy->center = make_aligned_array<float>(stride_);
    std::copy_n(of.center.get(), stride_, copy->center.get());
  }
  copy->center_length = of.center_length;
  copy->grid_step = of.grid_step;
  std::copy_n(of.codes.get(), chunk_rows_ * stride_, copy->codes.get());
  std::copy_n(of.scales.get(), chunk_rows_, copy->scales.get());
  std::copy_n(of.norms.get(), chunk_rows_, copy->norms.get());
  std::copy_n(of.residuals.get(), chunk_rows_, copy->residuals.get());
  std::copy_n(of.biases.get(), chunk_rows_, copy->biases.get());
  copy->pieces = of.pieces;
  return copy;
}

RowView::Chunk& RowTable::own_chunk(Row row) {
  std::shared_ptr<Chunk>& chunk = chunks_[row / chunk_rows_];
  if (!is_sole_owner(chunk)) chunk = copy_of(*chunk);
  return *chunk;
}

std::shared_ptr<RowView::Piece>& RowTable::piece_pointer(Row row) {
  return own_chunk(row).pieces[offset(row) / piece_rows_];
}

RowView::Piece& RowTable::own_piece(Row row) {
  std::shared_ptr<Piece>& piece = piece_pointer(row);
  if (!is_sole_owner(piece)) piece = copy_of(*piece);
  return *piece;
}

RowTable::Copies RowTable::copies_for(std::span<const PointId> ids) const {
  Copies copies;
  if (!is_viewed() || size_ == 0) return copies;
  std::set<std::size_t> numbers;
  // Rows are added and taken away at the end.
  const std::size_t most = std::min(size_, ids.size());
  for (std::size_t row = size_ - most;
       row < size_ && numbers.size() < kMostCopies; row += piece_rows_) {
    numbers.insert(row / piece_rows_);
  }
  numbers.insert((size_ - 1) / piece_rows_);
  for (const PointId& id : ids) {
    if (numbers.size() >= kMostCopies) break;
    if (const auto row = find(id)) numbers.insert(*row / piece_rows_);
  }
  std::size_t last_chunk = chunks_.size();
  for (const std::size_t number : numbers) {
    const auto first = static_cast<Row>(number * piece_rows_);
    const std::size_t home = first / chunk_rows_;
    if (home != last_chunk) {
      copies.chunks_.push_back({first, chunks_[home], copy_of(*chunks_[home])});
      if (axis_codes_) copies.codes_.push_back(axis_codes_->copy_of(home));
      last_chunk = home;
    }
    const std::shared_ptr<Piece>& of =
        chunks_[home]->pieces[offset(first) / piece_rows_];
    copies.pieces_.push_back({first, of, copy_of(*of)});
  }
  return copies;
}

void RowTable::use(Copies copies) {
  for (Copies::Copy<Chunk>& made : copies.chunks_) {
    std::shared_ptr<Chunk>& chunk = chunks_[made.first / chunk_rows_];
    if (chunk == made.of) chunk = std::move(made.copy);
  }
  for (Copies::Copy<Piece>& made : copies.pieces_) {
    std::shared_ptr<Piece>& piece = piece_pointer(made.first);
    if (piece == made.of) piece = std::move(made.copy);
  }
  for (AxisCodes::Copy& made : copies.codes_) {
    if (axis_codes_) axis_codes_->use(std::move(made));
  }
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
  own_piece(row).versions[place(row)] = version;
}

void RowTable::replace_payload(Row row, Payload payload) {
  Payload& old = own_piece(row).payloads[place(row)];
  payload_bytes_ -= old.empty() ? 0 : old.json().size();
  payload_bytes_ += payload.empty() ? 0 : payload.json().size();
  old = std::move(payload);
}

RowView::Piece RowTable::new_piece() const {
  Piece piece;
  piece.vectors = make_aligned_array<float>(piece_rows_ * stride_);
  piece.lengths.resize(piece_rows_);
  piece.ids.resize(piece_rows_);
  piece.payloads.resize(piece_rows_);
  piece.versions.resize(piece_rows_);
  return piece;
}

RowView::Chunk RowTable::new_chunk() const {
  Chunk chunk;
  chunk.codes = make_aligned_array<std::uint8_t>(chunk_rows_ * stride_);
  chunk.scales = make_aligned_array<float>(chunk_rows_);
  chunk.norms = make_aligned_array<float>(chunk_rows_);
  chunk.residuals = make_aligned_array<float>(chunk_rows_);
  chunk.biases = make_aligned_array<float>(chunk_rows_);
  return chunk;
}

// Room for row `size_`.
void RowTable::make_room() {
  if (size_ == chunks_.size() * chunk_rows_) {
    chunks_.push_back(std::make_shared<Chunk>(new_chunk()));
  }
  const auto row = static_cast<Row>(size_);
  if (chunk(row).pieces.size() == offset(row) / piece_rows_) {
    own_chunk(row).pieces.push_back(std::make_shared<Piece>(new_piece()));
  }
}

Row RowTable::append_row(const PointId& id) {
  make_room();
  const auto row = static_cast<Row>(size_);
  by_id_.emplace(id, row);
  own_piece(row).ids[place(row)] = id;
  ++size_;
  return row;
}

void RowTable::write_vector(Row row, VectorView vector) {
  Piece& home = own_piece(row);
  const std::size_t at = place(row);
  float* values = home.vectors.get() + at * stride_;
  std::copy(vector.begin(), vector.end(), values);
  std::fill(values + dimension_, values + stride_, 0.0f);

  home.lengths[at] = std::sqrt(kernels::active().dot(values, values, stride_));
  write_codes(row);
  if (axis_codes_) axis_codes_->put(row, values, code_factor(row));
}

void RowTable::write_codes(Row row) {
  Chunk& home = own_chunk(row);
  const std::size_t at = offset(row);
  thread_local std::vector<std::int8_t> codes;
  codes.resize(stride_);
  const kernels::Quantized quantized =
      metric_ == Metric::manhattan
          ? kernels::quantize_on_grid(padded_vector(row), dimension_,
                                      center(row), grid_step(row), codes.data())
          : kernels::quantize(
                {padded_vector(row), stride_, code_factor(row), center(row)},
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
  Chunk& home = own_chunk(last);
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
  own_chunk(last).grid_step = static_cast<float>(largest / 127.0);
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
  own_piece(last).payloads[place(last)] = Payload();
  --size_;
  give_room_back();
  if (axis_codes_) axis_codes_->shrink(size_);
  return true;
}

// One empty piece and one empty chunk are kept, lest a point that comes and
// goes at the border allocates each time.
void RowTable::give_room_back() {
  if (chunks_.size() * chunk_rows_ >= size_ + 2 * chunk_rows_) {
    chunks_.pop_back();
  }
  const auto end = static_cast<Row>(size_);
  if (size_ == chunks_.size() * chunk_rows_) return;
  const std::size_t needed = offset(end) / piece_rows_ + 2;
  if (chunk(end).pieces.size() > needed) own_chunk(end).pieces.resize(needed);
}

void RowTable::move_row(Row from, Row to) {
  Piece& target = own_piece(to);
  const Piece& source = piece(from);
  const std::size_t i = place(from);
  const std::size_t j = place(to);
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
  axis_codes_.reset();
  if (codes) axis_codes_ = std::move(*codes);
  axes_due_ = std::max(size_, kFirstAxesRows) * kAxesGrowth;
}

}  // namespace lamina::rows
