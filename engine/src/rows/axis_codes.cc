#include "rows/axis_codes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/quantize.h"
#include "rows/sole_owner.h"

namespace lamina::rows {
namespace {

using kernels::kInterleavedAxes;
using kernels::kInterleavedRows;

// Codes are stored with this offset, as VNNI wants one side unsigned.
constexpr int kCodeOffset = 128;

// From four coordinates of a row to its next four.
constexpr std::size_t kFourBytes = kInterleavedRows * kInterleavedAxes;

// Whole groups are read, also where the last has fewer rows than that.
template <class T>
AlignedArray<T> make_zeros(std::size_t count) {
  AlignedArray<T> array = make_aligned_array<T>(count);
  std::fill_n(array.get(), count, T{});
  return array;
}

}  // namespace

AxisCodes::AxisCodes(std::shared_ptr<const Projection> projection,
                     Metric metric, std::size_t chunk_rows)
    : projection_(std::move(projection)),
      metric_(metric),
      chunk_rows_(chunk_rows),
      axis_count_(projection_->axis_count()) {}

AxisCodes::Chunk AxisCodes::new_chunk() const {
  return {make_zeros<std::uint8_t>(chunk_rows_ * axis_count_),
          make_zeros<float>(chunk_rows_), make_zeros<float>(chunk_rows_),
          make_zeros<float>(chunk_rows_), make_zeros<float>(chunk_rows_)};
}

AxisCodes::Copy AxisCodes::copy_of(std::size_t number) const {
  const Chunk& of = *chunks_[number];
  auto copy = std::make_shared<Chunk>(new_chunk());
  std::copy_n(of.codes.get(), chunk_rows_ * axis_count_, copy->codes.get());
  std::copy_n(of.scales.get(), chunk_rows_, copy->scales.get());
  std::copy_n(of.norms.get(), chunk_rows_, copy->norms.get());
  std::copy_n(of.rests.get(), chunk_rows_, copy->rests.get());
  std::copy_n(of.biases.get(), chunk_rows_, copy->biases.get());
  return {number, chunks_[number], std::move(copy)};
}

void AxisCodes::use(Copy made) {
  if (made.chunk < chunks_.size() && chunks_[made.chunk] == made.of) {
    chunks_[made.chunk] = std::move(made.copy);
  }
}

AxisCodes::Chunk& AxisCodes::own_chunk(std::size_t row) {
  const std::size_t number = row / chunk_rows_;
  if (!is_sole_owner(chunks_[number])) {
    chunks_[number] = copy_of(number).copy;
  }
  return *chunks_[number];
}

std::uint8_t* AxisCodes::codes_of(std::size_t row) const {
  const std::size_t offset = row % chunk_rows_;
  return chunks_[row / chunk_rows_]->codes.get() +
         offset / kInterleavedRows * kInterleavedRows * axis_count_ +
         offset % kInterleavedRows * kInterleavedAxes;
}

void AxisCodes::put(std::size_t row, const float* values, double factor) {
  if (row == chunks_.size() * chunk_rows_) {
    chunks_.push_back(std::make_shared<Chunk>(new_chunk()));
  }
  thread_local std::vector<std::int8_t> codes;
  codes.resize(kernels::padded(axis_count_));
  const AxisCoded coded =
      projection_->code(values, factor, /*from_the_mean=*/true, codes.data());
  Chunk& home = own_chunk(row);
  std::uint8_t* target = codes_of(row);
  for (std::size_t j = 0; j < axis_count_; ++j) {
    target[j / kInterleavedAxes * kFourBytes + j % kInterleavedAxes] =
        static_cast<std::uint8_t>(codes[j] + kCodeOffset);
  }
  const std::size_t at = row % chunk_rows_;
  home.scales[at] = coded.scale;
  home.norms[at] = kernels::round_up(coded.norm);
  home.rests[at] = kernels::round_up(coded.rest);
  home.biases[at] =
      metric_ == Metric::euclid ? static_cast<float>(-coded.square) : 0.0f;
  // Without a scale there are no codes, and what they miss is a rounding.
  if (coded.scale > 0.0f) {
    bounds_.residual_per_scale = std::max(bounds_.residual_per_scale,
                                          coded.residual / double{coded.scale});
    bounds_.rounding = std::max(bounds_.rounding, coded.rounding);
  } else {
    bounds_.rounding =
        std::max(bounds_.rounding, coded.rounding + coded.residual);
  }
}

void AxisCodes::move(std::size_t from, std::size_t to) {
  Chunk& home = own_chunk(to);
  const Chunk& old_home = *chunks_[from / chunk_rows_];
  const std::uint8_t* source = codes_of(from);
  std::uint8_t* target = codes_of(to);
  for (std::size_t j = 0; j < axis_count_; j += kInterleavedAxes) {
    std::memcpy(target + j * kInterleavedRows, source + j * kInterleavedRows,
                kInterleavedAxes);
  }
  home.scales[to % chunk_rows_] = old_home.scales[from % chunk_rows_];
  home.norms[to % chunk_rows_] = old_home.norms[from % chunk_rows_];
  home.rests[to % chunk_rows_] = old_home.rests[from % chunk_rows_];
  home.biases[to % chunk_rows_] = old_home.biases[from % chunk_rows_];
}

void AxisCodes::shrink(std::size_t size) {
  while (chunks_.size() * chunk_rows_ >= size + 2 * chunk_rows_) {
    chunks_.pop_back();
  }
}

kernels::AxisRows AxisCodes::rows(std::size_t chunk, std::size_t count) const {
  const Chunk& home = *chunks_[chunk];
  const std::size_t groups = (count + kInterleavedRows - 1) / kInterleavedRows;
  return {home.codes.get(),         axis_count_,      home.scales.get(),
          home.norms.get(),         home.rests.get(), home.biases.get(),
          groups * kInterleavedRows};
}

}  // namespace lamina::rows
