#include "search/flat_scan.h"

#include <algorithm>
#include <array>

#include "search/axis_scan.h"
#include "search/exact_score.h"
#include "search/lower_bounds.h"
#include "search/query_coder.h"

namespace lamina::search {
namespace {

using kernels::Candidate;

// How far fetching runs ahead of scoring.
constexpr std::size_t kRowsAhead = 2;

// One query on its way through the rows.
class Pass {
 public:
  void begin(const rows::RowView& table, const FlatQuery& query, std::size_t k,
             const kernels::KernelSet& kernels) {
    matching_ = query.matching;
    coder_.begin(table, query.vector, kernels);
    bounds_.begin(k, query.score_threshold
                         ? coder_.goodness_of(*query.score_threshold)
                         : kNoThreshold);
    candidates_.clear();
  }

  void enter_chunk(const rows::RowView& table, rows::Row row) {
    coded_ = &coder_.for_chunk(table, row);
    by_difference_ = table.metric() == Metric::manhattan;
  }

  void scan(const kernels::CodedRows& rows, rows::Row first,
            const kernels::KernelSet& kernels) {
    Candidate block[kernels::kBlockRows];
    const std::size_t found =
        (by_difference_
             ? kernels.select_rows_by_difference
             : kernels.select_rows)(rows, *coded_, bounds_.threshold(), block);
    for (std::size_t i = 0; i < found; ++i) {
      block[i].row += first;
      if (!matches(block[i].row)) continue;
      bounds_.add(block[i].lower);
      candidates_.push_back(block[i]);
    }
  }

  // Scores what the final threshold could not rule out.
  void finish(const rows::RowView& table, const kernels::KernelSet& kernels,
              std::vector<ScoredRow>* best) {
    const ExactScorer scorer(table, coder_.padded(), coder_.length(), kernels);
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      return candidate.upper < bounds_.threshold();
    });
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (i + kRowsAhead < candidates_.size()) {
        scorer.prefetch(candidates_[i + kRowsAhead].row);
      }
      const rows::Row row = candidates_[i].row;
      best->push_back({scorer(row), row});
    }
  }

  void score_all(const rows::RowView& table, RowRange range,
                 const kernels::KernelSet& kernels,
                 std::vector<ScoredRow>* best) const {
    const ExactScorer scorer(table, coder_.padded(), coder_.length(), kernels);
    for (rows::Row row = range.begin; row < range.end; ++row) {
      if (matches(row)) best->push_back({scorer(row), row});
    }
  }

 private:
  bool matches(rows::Row row) const {
    return matching_ == nullptr || matching_->contains(row);
  }

  const RowSet* matching_ = nullptr;
  QueryCoder coder_;
  LowerBounds bounds_;
  std::vector<Candidate> candidates_;
  const kernels::CodedQuery* coded_ = nullptr;
  bool by_difference_ = false;
};

// Block by block, each for every query: the codes come from memory once.
void scan_blocks(const rows::RowView& table, RowRange range,
                 std::span<Pass> passes, const kernels::KernelSet& kernels) {
  for (rows::Row first = range.begin; first < range.end;) {
    const kernels::CodedRows block = table.coded_rows(first);
    const bool new_chunk = first % table.chunk_rows() == 0;
    for (Pass& pass : passes) {
      if (new_chunk) pass.enter_chunk(table, first);
      pass.scan(block, first, kernels);
    }
    first += static_cast<rows::Row>(block.count);
  }
}

// When every row is asked for, nothing can be ruled out.
bool wants_all(const FlatQuery& query, std::size_t row_count) {
  return query.k >= row_count && !query.score_threshold;
}

void flat_scan_pass(const rows::RowView& table, RowRange range,
                    std::span<FlatQuery> queries,
                    const kernels::KernelSet& kernels) {
  // A thread keeps its memory between queries.
  thread_local std::array<Pass, kQueriesPerPass> all_passes;
  const std::span passes = std::span(all_passes).first(queries.size());
  const std::size_t row_count = range.end - range.begin;
  bool scan = false;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::size_t k = std::clamp<std::size_t>(queries[i].k, 1, row_count);
    passes[i].begin(table, queries[i], k, kernels);
    scan = scan || !wants_all(queries[i], row_count);
  }
  if (scan) scan_blocks(table, range, passes, kernels);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    FlatQuery& query = queries[i];
    query.best.clear();
    if (wants_all(query, row_count)) {
      passes[i].score_all(table, range, kernels, &query.best);
    } else {
      passes[i].finish(table, kernels, &query.best);
    }
    query.stats = {.rows_scanned = row_count,
                   .rows_refined = row_count,
                   .rows_rescored = query.best.size()};
    keep_best(BetterRow(table), query.k, &query.best);
  }
}

}  // namespace

void keep_best(const BetterRow& better, std::size_t k,
               std::vector<ScoredRow>* rows) {
  k = std::min(k, rows->size());
  const auto middle = rows->begin() + static_cast<std::ptrdiff_t>(k);
  std::partial_sort(rows->begin(), middle, rows->end(), better);
  rows->resize(k);
}

void flat_scan(const rows::RowView& table, RowRange range,
               std::span<FlatQuery> queries,
               const kernels::KernelSet& kernels) {
  if (range.begin == range.end) {
    for (FlatQuery& query : queries) query.best.clear();
    return;
  }
  const bool along_axes =
      std::all_of(queries.begin(), queries.end(), [&](const FlatQuery& query) {
        return fits_axis_scan(table, range, query);
      });
  const auto scan = along_axes ? axis_scan : flat_scan_pass;
  const std::size_t most = along_axes ? kQueriesPerAxisPass : kQueriesPerPass;
  while (!queries.empty()) {
    const std::size_t count = std::min(queries.size(), most);
    scan(table, range, queries.first(count), kernels);
    queries = queries.subspan(count);
  }
}

}  // namespace lamina::search
