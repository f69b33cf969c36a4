#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/kernels.h"
#include "lamina/options.h"
#include "rows/aligned_array.h"
#include "rows/projection.h"

namespace lamina::rows {

// The codes of a table's rows along the axes of one projection, as the first
// stage of a scan reads them: fewer bytes a row than the codes of whole
// vectors.
//
// A copy shares the codes until one of the two is written to.
//
// Thread safety: const calls may run concurrently; writes exclude everything.
class AxisCodes {
  struct Chunk;

 public:
  // What holds for every row, so that it need not be kept for each. Only grows.
  struct Bounds {
    double residual_per_scale = 0.0;
    double rounding = 0.0;
  };

  // `chunk_rows` is a multiple of kernels::kInterleavedRows.
  AxisCodes(std::shared_ptr<const Projection> projection, Metric metric,
            std::size_t chunk_rows);

  const Projection& projection() const { return *projection_; }
  const Bounds& bounds() const { return bounds_; }

  // Writes row `row`, at most one beyond the last. `values` holds stride()
  // values; `factor` is what they are multiplied with before coding.
  void put(std::size_t row, const float* values, double factor);
  void move(std::size_t from, std::size_t to);
  // Gives back what rows from `size` on took, but for one chunk.
  void shrink(std::size_t size);

  // The rows of chunk `chunk`, `count` of them or a few more: whole groups.
  kernels::AxisRows rows(std::size_t chunk, std::size_t count) const;

  // A copy of a chunk that a write would have to make, made before, for use()
  // if it still serves by then.
  struct Copy {
    std::size_t chunk;
    std::shared_ptr<Chunk> of;
    std::shared_ptr<Chunk> copy;
  };
  Copy copy_of(std::size_t chunk) const;
  void use(Copy copy);

 private:
  struct Chunk {
    AlignedArray<std::uint8_t> codes;
    AlignedArray<float> scales;
    AlignedArray<float> norms;
    AlignedArray<float> rests;
    AlignedArray<float> biases;
  };

  Chunk new_chunk() const;
  // That of a row, for changing it: one that is shared is copied.
  Chunk& own_chunk(std::size_t row);
  // The first four coordinates of a row; the next four follow 64 bytes on.
  std::uint8_t* codes_of(std::size_t row) const;

  std::shared_ptr<const Projection> projection_;
  Metric metric_;
  std::size_t chunk_rows_;
  std::size_t axis_count_;
  Bounds bounds_;
  std::vector<std::shared_ptr<Chunk>> chunks_;
};

}  // namespace lamina::rows
