#include "search/axis_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "search/axis_query_coder.h"
#include "search/refiner.h"

namespace lamina::search {
namespace {

using kernels::Candidate;
using rows::Row;

// An answer may be this part of the rows: beyond, most of the work is scoring.
constexpr std::size_t kRowsPerHit = 32;

// Chunks between which thresholds are renewed; their bounds stay in the cache.
constexpr std::size_t kSegmentChunks = 16;

// Rows scored first, beyond k: the best by bound are not quite the best.
constexpr std::size_t kFirstExtra = 6;
// Rows scored first in later segments, where a threshold is there already.
constexpr std::size_t kLaterFirst = 4;

// Bounds that are looked through at a time.
constexpr std::size_t kBoundsPerBlock = 128;
// Sets of bounds that lie this far apart, for a first guess at the greatest.
constexpr std::size_t kStridedSets = 64;

// In place of the bound of a row that is not to be met again.
constexpr float kDone = -std::numeric_limits<float>::infinity();

// One query on its way through the segments.
class AxisPass {
 public:
  void begin(const rows::RowView& table, const FlatQuery& query,
             const kernels::KernelSet& kernels) {
    table_ = &table;
    kernels_ = &kernels;
    query_ = &query;
    refiner_.begin(table, query, kernels);
  }

  const kernels::AxisQuery& axis_query() {
    return axis_coder_.code(*table_->axis_codes(), table_->metric(),
                            refiner_.coder().padded(),
                            refiner_.coder().factor());
  }

  // Where the bounds of a segment's rows go.
  float* uppers(std::size_t count) {
    uppers_.resize(std::max(count, uppers_.size()));
    return uppers_.data();
  }

  void finish_segment(RowRange segment) {
    const std::size_t count = segment.end - segment.begin;
    if (query_->matching != nullptr) leave_matching(segment);
    const bool first = refiner_.scored().empty();
    pick(count, first ? query_->k + kFirstExtra : kLaterFirst);
    score_picked(segment.begin);
    listed_.resize(count);
    listed_.resize(kernels_->select_above(
        uppers_.data(), count, refiner_.threshold(), listed_.data()));
    refiner_.refine(segment.begin, &listed_);
  }

  void finish(RowRange range, FlatQuery* query) {
    std::swap(query->best, refiner_.scored());
    query->stats = {.rows_scanned = range.end - range.begin,
                    .rows_refined = refiner_.refined_count(),
                    .rows_rescored = query->best.size(),
                    .along_axes = true};
    keep_best(BetterRow(*table_), query->k, &query->best);
  }

 private:
  // Marks the rows that the filter does not let pass. A segment begins at a
  // whole word of the set.
  void leave_matching(RowRange segment) {
    const std::span words = query_->matching->words();
    for (Row row = segment.begin; row < segment.end; row += RowSet::kWordRows) {
      float* uppers = uppers_.data() + (row - segment.begin);
      RowSet::Word absent = ~words[row / RowSet::kWordRows];
      if (segment.end - row < RowSet::kWordRows) {
        absent &= (RowSet::Word{1} << (segment.end - row)) - 1;
      }
      for (; absent != 0; absent &= absent - 1) {
        uppers[std::countr_zero(absent)] = kDone;
      }
    }
  }

  // Becomes the `most` rows of the segment with the greatest bounds, as far as
  // these reach the threshold.
  void pick(std::size_t count, std::size_t most) {
    picked_.clear();
    float limit = std::max(refiner_.threshold(), reached_by(count, most));
    std::uint32_t found[kBoundsPerBlock];
    for (std::size_t i = 0; i < count; i += kBoundsPerBlock) {
      const std::size_t block = std::min(kBoundsPerBlock, count - i);
      const std::size_t above =
          kernels_->select_above(uppers_.data() + i, block, limit, found);
      for (std::size_t j = 0; j < above; ++j) {
        keep_greatest(static_cast<std::uint32_t>(i + found[j]), most);
      }
      if (picked_.size() == most) {
        limit = std::max(limit, picked_.front().upper);
      }
    }
  }

  // A limit that at least `most` of the bounds reach, and not many more: the
  // `most`-th of the greatest bounds of as many or more sets.
  float reached_by(std::size_t count, std::size_t most) const {
    float greatest[kStridedSets];
    if (most > kStridedSets || count < kStridedSets) return kDone;
    std::fill_n(greatest, kStridedSets, kDone);
    for (std::size_t i = 0; i + kStridedSets <= count; i += kStridedSets) {
      const float* uppers = uppers_.data() + i;
      for (std::size_t j = 0; j < kStridedSets; ++j) {
        greatest[j] = greatest[j] < uppers[j] ? uppers[j] : greatest[j];
      }
    }
    const auto last = greatest + (most - 1);
    std::nth_element(greatest, last, greatest + kStridedSets, std::greater<>());
    return *last;
  }

  void keep_greatest(std::uint32_t place, std::size_t most) {
    const auto by_upper = [](const Candidate& a, const Candidate& b) {
      return a.upper > b.upper;
    };
    const float upper = uppers_[place];
    if (picked_.size() == most) {
      if (!(upper > picked_.front().upper)) return;
      std::pop_heap(picked_.begin(), picked_.end(), by_upper);
      picked_.pop_back();
    }
    picked_.push_back({upper, upper, place});
    std::push_heap(picked_.begin(), picked_.end(), by_upper);
  }

  void score_picked(Row first) {
    for (Candidate& picked : picked_) {
      uppers_[picked.row] = kDone;
      picked.row += first;
    }
    refiner_.score(&picked_);
  }

  const rows::RowView* table_ = nullptr;
  const kernels::KernelSet* kernels_ = nullptr;
  const FlatQuery* query_ = nullptr;
  Refiner refiner_;
  AxisQueryCoder axis_coder_;
  std::vector<float> uppers_;
  std::vector<Candidate> picked_;
  std::vector<std::uint32_t> listed_;
};

// Chunk by chunk, each for every query: the codes come from memory once.
void bound_segment(const rows::RowView& table, RowRange segment,
                   std::span<const kernels::AxisQuery> queries,
                   std::span<AxisPass> passes,
                   const kernels::KernelSet& kernels) {
  const std::size_t chunk_rows = table.chunk_rows();
  const std::size_t segment_rows = kSegmentChunks * chunk_rows;
  std::array<float*, kQueriesPerAxisPass> uppers;
  const std::size_t chunks =
      (segment.end - segment.begin + chunk_rows - 1) / chunk_rows;
  // Every other scan runs backwards: what the one before read last may still be
  // in the cache.
  thread_local bool backwards = false;
  backwards = !backwards;
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::size_t chunk = backwards ? chunks - 1 - i : i;
    const Row first = segment.begin + static_cast<Row>(chunk * chunk_rows);
    for (std::size_t q = 0; q < passes.size(); ++q) {
      uppers[q] = passes[q].uppers(segment_rows) + (first - segment.begin);
    }
    const std::size_t count =
        std::min<std::size_t>(chunk_rows, segment.end - first);
    kernels.bound_rows(table.axis_codes()->rows(first / chunk_rows, count),
                       queries.data(), queries.size(), uppers.data());
  }
}

}  // namespace

bool fits_axis_scan(const rows::RowView& table, RowRange range,
                    const FlatQuery& query) {
  return table.axis_codes() != nullptr &&
         query.k <= (range.end - range.begin) / kRowsPerHit;
}

void axis_scan(const rows::RowView& table, RowRange range,
               std::span<FlatQuery> queries,
               const kernels::KernelSet& kernels) {
  // A thread keeps its memory between queries.
  thread_local std::array<AxisPass, kQueriesPerAxisPass> all_passes;
  const std::span passes = std::span(all_passes).first(queries.size());
  std::array<kernels::AxisQuery, kQueriesPerAxisPass> axis_queries;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    passes[q].begin(table, queries[q], kernels);
    axis_queries[q] = passes[q].axis_query();
  }
  const auto step = static_cast<Row>(kSegmentChunks * table.chunk_rows());
  for (Row first = range.begin; first < range.end; first += step) {
    const RowRange segment = {first, std::min(range.end, first + step)};
    bound_segment(table, segment, std::span(axis_queries).first(queries.size()),
                  passes, kernels);
    for (AxisPass& pass : passes) pass.finish_segment(segment);
  }
  for (std::size_t q = 0; q < queries.size(); ++q) {
    passes[q].finish(range, &queries[q]);
  }
}

}  // namespace lamina::search
