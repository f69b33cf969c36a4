#include "search/axis_scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "search/axis_query_coder.h"
#include "search/exact_score.h"
#include "search/lower_bounds.h"
#include "search/query_coder.h"

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

// In place of the bound of a row that is not to be met again.
constexpr float kDone = -std::numeric_limits<float>::infinity();

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

// How far fetching runs ahead of scoring.
constexpr std::size_t kRowsAhead = 2;

// One query on its way through the segments.
class AxisPass {
 public:
  void begin(const rows::RowTable& table, const FlatQuery& query,
             const kernels::KernelSet& kernels) {
    table_ = &table;
    kernels_ = &kernels;
    k_ = std::max<std::size_t>(query.k, 1);
    coder_.begin(table, query.vector, kernels);
    bounds_.begin(k_, query.score_threshold
                          ? coder_.goodness_of(*query.score_threshold)
                          : kNoThreshold);
    stats_ = {.along_axes = true};
    scored_.clear();
  }

  const kernels::AxisQuery& axis_query() {
    return axis_coder_.code(*table_->axis_codes(), table_->metric(),
                            coder_.padded(), coder_.factor());
  }

  // Where the bounds of a segment's rows go.
  float* uppers(std::size_t count) {
    uppers_.resize(std::max(count, uppers_.size()));
    return uppers_.data();
  }

  void finish_segment(RowRange segment) {
    first_ = segment.begin;
    const std::size_t count = segment.end - segment.begin;
    pick(count, scored_.empty() ? k_ + kFirstExtra : kLaterFirst);
    score_picked();
    listed_.resize(count);
    listed_.resize(kernels_->select_above(uppers_.data(), count, threshold(),
                                          listed_.data()));
    stats_.rows_scanned += count;
    stats_.rows_refined += listed_.size();
    refine();
    score_candidates();
  }

  void finish(FlatQuery* query) {
    std::swap(query->best, scored_);
    stats_.rows_rescored = query->best.size();
    query->stats = stats_;
    keep_best(BetterRow(*table_), query->k, &query->best);
  }

 private:
  // Never so low that it lets through a row that is done with.
  float threshold() const {
    return std::max(bounds_.threshold(), std::numeric_limits<float>::lowest());
  }

  // Becomes the `most` rows of the segment with the greatest bounds, as far as
  // these reach the threshold.
  void pick(std::size_t count, std::size_t most) {
    candidates_.clear();
    float limit = threshold();
    std::uint32_t found[kBoundsPerBlock];
    for (std::size_t i = 0; i < count; i += kBoundsPerBlock) {
      const std::size_t block = std::min(kBoundsPerBlock, count - i);
      const std::size_t above =
          kernels_->select_above(uppers_.data() + i, block, limit, found);
      for (std::size_t j = 0; j < above; ++j) {
        keep_greatest(static_cast<std::uint32_t>(i + found[j]), most);
      }
      if (candidates_.size() == most) {
        limit = std::max(limit, candidates_.front().upper);
      }
    }
  }

  void keep_greatest(std::uint32_t place, std::size_t most) {
    const float upper = uppers_[place];
    if (candidates_.size() == most) {
      if (!(upper > candidates_.front().upper)) return;
      std::pop_heap(candidates_.begin(), candidates_.end(), by_upper);
      candidates_.pop_back();
    }
    candidates_.push_back({upper, upper, place});
    std::push_heap(candidates_.begin(), candidates_.end(), by_upper);
  }

  static bool by_upper(const Candidate& a, const Candidate& b) {
    return a.upper > b.upper;
  }

  void score_picked() {
    for (Candidate& picked : candidates_) {
      uppers_[picked.row] = kDone;
      picked.row += first_;
    }
    score_candidates();
  }

  // Looks at the whole codes of what is listed, a chunk at a time.
  void refine() {
    candidates_.resize(listed_.size());
    std::size_t found = 0;
    for (std::size_t begin = 0; begin < listed_.size();) {
      const auto chunk_rows = static_cast<Row>(table_->chunk_rows());
      const Row chunk = listed_[begin] / chunk_rows * chunk_rows;
      std::size_t end = begin;
      for (; end < listed_.size() && listed_[end] < chunk + chunk_rows; ++end) {
        listed_[end] -= chunk;
      }
      const Row row = first_ + chunk;
      const std::size_t kept = kernels_->select_listed(
          table_->coded_rows(row), coder_.for_chunk(*table_, row),
          listed_.data() + begin, end - begin, bounds_.threshold(),
          candidates_.data() + found);
      for (std::size_t i = 0; i < kept; ++i, ++found) {
        Candidate& candidate = candidates_[found];
        candidate.row = row + listed_[begin + candidate.row];
        // An undefined bound rules nothing out, and must sort.
        if (std::isnan(candidate.upper)) candidate.upper = kNoLimit;
      }
      begin = end;
    }
    candidates_.resize(found);
  }

  // Scores what the threshold, which rises on the way, does not rule out.
  void score_candidates() {
    const ExactScorer scorer(*table_, coder_.padded(), coder_.length(),
                             *kernels_);
    std::sort(candidates_.begin(), candidates_.end(), by_upper);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].upper < bounds_.threshold()) break;
      if (i + kRowsAhead < candidates_.size()) {
        scorer.prefetch(candidates_[i + kRowsAhead].row);
      }
      const Row row = candidates_[i].row;
      const double score = scorer(row);
      bounds_.add(coder_.goodness_of(to_user_score(score)));
      scored_.push_back({score, row});
    }
  }

  const rows::RowTable* table_ = nullptr;
  const kernels::KernelSet* kernels_ = nullptr;
  std::size_t k_ = 0;
  QueryCoder coder_;
  AxisQueryCoder axis_coder_;
  LowerBounds bounds_;
  FlatScanStats stats_;
  Row first_ = 0;  // Of the segment.
  std::vector<float> uppers_;
  std::vector<std::uint32_t> listed_;
  std::vector<Candidate> candidates_;
  std::vector<ScoredRow> scored_;
};

// Chunk by chunk, each for every query: the codes come from memory once.
void bound_segment(const rows::RowTable& table, RowRange segment,
                   std::span<const kernels::AxisQuery> queries,
                   std::span<AxisPass> passes,
                   const kernels::KernelSet& kernels) {
  const std::size_t chunk_rows = table.chunk_rows();
  const std::size_t segment_rows = kSegmentChunks * chunk_rows;
  std::array<float*, kQueriesPerPass> uppers;
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

bool fits_axis_scan(const rows::RowTable& table, RowRange range,
                    const FlatQuery& query) {
  return table.axis_codes() != nullptr &&
         query.k <= (range.end - range.begin) / kRowsPerHit;
}

void axis_scan(const rows::RowTable& table, RowRange range,
               std::span<FlatQuery> queries,
               const kernels::KernelSet& kernels) {
  // A thread keeps its memory between queries.
  thread_local std::array<AxisPass, kQueriesPerPass> all_passes;
  const std::span passes = std::span(all_passes).first(queries.size());
  std::array<kernels::AxisQuery, kQueriesPerPass> axis_queries;
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
    passes[q].finish(&queries[q]);
  }
}

}  // namespace lamina::search
