#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "lamina/payload.h"
#include "lamina/point_id.h"
#include "rows/aligned_array.h"
#include "rows/axis_codes.h"

namespace lamina::rows {

using Row = std::uint32_t;

// The points of a collection in memory: each has a row, rows are dense. Beside
// the float32 values stand the codes that the scan reads and the bounds that
// make it exact. Rows live in chunks that never move, so that growing copies
// nothing, and chunks in pieces.
//
// A copy shares chunks and pieces. RowTable makes both its own before it
// changes them, so a copy that it handed out never changes: a reader needs no
// lock.
//
// Thread safety: const calls may run concurrently.
class RowView {
 public:
  std::size_t size() const { return size_; }
  std::size_t dimension() const { return dimension_; }
  // Floats from one row to the next; what is beyond `dimension` is zero.
  std::size_t stride() const { return stride_; }
  Metric metric() const { return metric_; }

  const PointId& id(Row row) const { return piece(row).ids[place(row)]; }
  VectorView vector(Row row) const { return {padded_vector(row), dimension_}; }
  // stride() values, aligned to a cache line.
  const float* padded_vector(Row row) const {
    return piece(row).vectors.get() + place(row) * stride_;
  }
  const Payload& payload(Row row) const {
    return piece(row).payloads[place(row)];
  }
  std::uint64_t version(Row row) const {
    return piece(row).versions[place(row)];
  }
  // Of all payloads that are not empty, as JSON text.
  std::uint64_t payload_bytes() const { return payload_bytes_; }
  // |vector|, from the exact dot product.
  double length(Row row) const { return piece(row).lengths[place(row)]; }

  // Rows [first, first + count) as the scan reads them, cut at kBlockRows and
  // at the end of a chunk; `count` of the result says how many.
  kernels::CodedRows coded_rows(Row first) const;

  // Rows of one chunk share a centre, and their codes are of the difference to
  // it: where all vectors point one way, as those of most models do, what is
  // left is smaller and its codes are finer.
  std::size_t chunk_rows() const { return chunk_rows_; }
  // stride() values; null when the chunk has no centre.
  const float* center(Row row) const { return chunk(row).center.get(); }
  // Its length.
  double center_length(Row row) const { return chunk(row).center_length; }
  // Whether any chunk has one.
  bool has_centers() const;
  // Under manhattan, the distance of two codes; rows of a chunk share it.
  float grid_step(Row row) const { return chunk(row).grid_step; }
  // What a vector is multiplied with before coding: cosine compares directions,
  // so its rows are coded at length 1.
  double code_factor(Row row) const {
    return metric_ == Metric::cosine ? 1.0 / length(row) : 1.0;
  }

  // The first stage of the scan; null when there is none.
  const AxisCodes* axis_codes() const {
    return axis_codes_ ? &*axis_codes_ : nullptr;
  }

 protected:
  RowView(std::size_t dimension, Metric metric);

  // What a scan reads of few rows. Much larger than the codes, so it is kept in
  // pieces, lest changing a row of a view copies it all.
  struct Piece {
    AlignedArray<float> vectors;
    std::vector<double> lengths;
    std::vector<PointId> ids;
    std::vector<Payload> payloads;
    std::vector<std::uint64_t> versions;
  };
  // The rows that share a centre, and their codes.
  struct Chunk {
    AlignedArray<float> center;  // Null until there is one.
    double center_length = 0.0;
    float grid_step = 0.0f;
    AlignedArray<std::uint8_t> codes;
    AlignedArray<float> scales;
    AlignedArray<float> norms;
    AlignedArray<float> residuals;
    AlignedArray<float> biases;
    std::vector<std::shared_ptr<Piece>> pieces;
  };

  const Chunk& chunk(Row row) const { return *chunks_[row / chunk_rows_]; }
  std::size_t offset(Row row) const { return row % chunk_rows_; }
  const Piece& piece(Row row) const {
    return *chunk(row).pieces[offset(row) / piece_rows_];
  }
  std::size_t place(Row row) const { return row % piece_rows_; }

  std::size_t dimension_;
  std::size_t stride_;
  Metric metric_;
  std::size_t chunk_rows_;
  std::size_t piece_rows_;
  std::size_t size_ = 0;
  std::uint64_t payload_bytes_ = 0;
  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::optional<AxisCodes> axis_codes_;
};

}  // namespace lamina::rows
