#include "rows/row_view.h"

#include <algorithm>
#include <bit>

namespace lamina::rows {
namespace {

// About 2 MiB of vectors a chunk, in whole blocks of the scan: large enough
// that what is done once a chunk does not show, small enough that coding one
// anew takes a millisecond.
std::size_t rows_per_chunk(std::size_t stride) {
  constexpr std::size_t kChunkBytes = 2u << 20;
  const std::size_t fitting = kChunkBytes / (stride * sizeof(float));
  return std::clamp<std::size_t>(std::bit_floor(fitting + 1),
                                 kernels::kBlockRows, 4096);
}

// The vectors of a chunk are cut in so many pieces.
constexpr std::size_t kPiecesPerChunk = 8;

}  // namespace

RowView::RowView(std::size_t dimension, Metric metric)
    : dimension_(dimension),
      stride_(kernels::padded(dimension)),
      metric_(metric),
      chunk_rows_(rows_per_chunk(stride_)),
      piece_rows_(chunk_rows_ / kPiecesPerChunk) {}

bool RowView::has_centers() const {
  return std::any_of(chunks_.begin(), chunks_.end(),
                     [](const std::shared_ptr<Chunk>& chunk) {
                       return chunk->center != nullptr;
                     });
}

kernels::CodedRows RowView::coded_rows(Row first) const {
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
