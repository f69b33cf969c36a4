#include "search/flat_scan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "kernels/kernels.h"
#include "kernels/quantize.h"
#include "rows/aligned_array.h"
#include "search/exact_score.h"

namespace lamina::search {
namespace {

using kernels::Candidate;

constexpr float kNoThreshold = -std::numeric_limits<float>::infinity();

// Covers every rounding in the kernels' float arithmetic: at most 8 operations
// of relative error 2^-24 each on the estimate and on the error.
constexpr double kFloatSlack = 1.0 / (1 << 19);

// Memory of one query at a time; a thread keeps its own between queries.
struct Scratch {
  std::size_t stride = 0;
  rows::AlignedArray<float> query;
  rows::AlignedArray<std::int8_t> codes;
  rows::AlignedArray<std::int16_t> wide_codes;
  std::vector<Candidate> candidates;
  std::vector<float> lower_bounds;

  void fit(std::size_t needed) {
    if (stride >= needed) return;
    query = rows::make_aligned_array<float>(needed);
    codes = rows::make_aligned_array<std::int8_t>(needed);
    wide_codes = rows::make_aligned_array<std::int16_t>(needed);
    stride = needed;
  }
};

Scratch& scratch_for(const rows::RowTable& table, VectorView query) {
  thread_local Scratch scratch;
  scratch.fit(table.stride());
  std::copy(query.begin(), query.end(), scratch.query.get());
  std::fill(scratch.query.get() + query.size(),
            scratch.query.get() + table.stride(), 0.0f);
  scratch.candidates.clear();
  scratch.lower_bounds.clear();
  return scratch;
}

// The query's side of the bound. With q = s d + t and x = a c + r,
//   |q.x - s a (d.c)| <= |t| |a c| + |q| |r|.
kernels::CodedQuery code_query(const rows::RowTable& table, double length,
                               Scratch* scratch) {
  const bool cosine = table.metric() == Metric::cosine;
  const double factor = cosine ? 1.0 / length : 1.0;
  const double size = cosine ? 1.0 : length;
  // Euclid ranks by 2 q.x - |x|^2.
  const double times = table.metric() == Metric::euclid ? 2.0 : 1.0;
  const kernels::Quantized code = kernels::quantize(
      scratch->query.get(), table.dimension(), factor, scratch->codes.get());
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < table.stride(); ++j) {
    scratch->wide_codes[j] = scratch->codes[j];
    sum += scratch->codes[j];
  }
  const double slack = 1.0 + kFloatSlack;
  return {.codes = scratch->codes.get(),
          .wide = scratch->wide_codes.get(),
          .code_offset = 128 * sum,
          .scale = static_cast<float>(times) * code.scale,
          .norm_weight = kernels::round_up(
              times * slack *
              (double{code.residual} + double{code.norm} * kFloatSlack)),
          .residual_weight = kernels::round_up(times * slack * size * slack),
          .bias_weight = static_cast<float>(kFloatSlack)};
}

// Keeps the k largest lower bounds seen; the smallest of them is a threshold
// that no row of the answer can be below.
class LowerBounds {
 public:
  LowerBounds(std::size_t k, std::vector<float>* heap) : k_(k), heap_(*heap) {}

  float threshold() const {
    return heap_.size() < k_ ? kNoThreshold : heap_.front();
  }

  void add(float bound) {
    // An infinite estimate is an overflow: it bounds nothing. NaN neither.
    if (!(std::fabs(bound) <= std::numeric_limits<float>::max())) {
      bound = kNoThreshold;
    }
    if (heap_.size() < k_) {
      heap_.push_back(bound);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      return;
    }
    if (!(bound > heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.back() = bound;
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

 private:
  std::size_t k_;
  std::vector<float>& heap_;
};

// Fills scratch.candidates with every row that may be among the k best, and
// returns the final threshold.
float select_candidates(const rows::RowTable& table,
                        const kernels::CodedQuery& query, std::size_t k,
                        const kernels::KernelSet& kernels, Scratch* scratch) {
  LowerBounds bounds(k, &scratch->lower_bounds);
  Candidate block[kernels::kBlockRows];
  for (std::size_t first = 0; first < table.size();) {
    const kernels::CodedRows coded =
        table.coded_rows(static_cast<rows::Row>(first));
    const std::size_t found =
        kernels.select_rows(coded, query, bounds.threshold(), block);
    for (std::size_t i = 0; i < found; ++i) {
      block[i].row += static_cast<std::uint32_t>(first);
      bounds.add(block[i].lower);
      scratch->candidates.push_back(block[i]);
    }
    first += coded.count;
  }
  return bounds.threshold();
}

void keep_best(const rows::RowTable& table, std::size_t k,
               std::vector<ScoredRow>* best) {
  const bool larger = larger_is_better(table.metric());
  const auto better = [&](const ScoredRow& a, const ScoredRow& b) {
    if (a.score != b.score) return larger == (a.score > b.score);
    return table.id(a.row) < table.id(b.row);
  };
  const auto middle = best->begin() + static_cast<std::ptrdiff_t>(k);
  std::partial_sort(best->begin(), middle, best->end(), better);
  best->resize(k);
}

}  // namespace

FlatScanStats flat_scan(const rows::RowTable& table, VectorView query,
                        std::size_t k, std::vector<ScoredRow>* best,
                        const kernels::KernelSet& kernels) {
  best->clear();
  k = std::min(k, table.size());
  if (k == 0) return {};
  Scratch& scratch = scratch_for(table, query);
  const ExactScorer scorer(table, scratch.query.get(), kernels);
  if (k == table.size()) {
    for (rows::Row row = 0; row < table.size(); ++row) {
      best->push_back({scorer(row), row});
    }
  } else {
    const kernels::CodedQuery coded =
        code_query(table, scorer.query_length(), &scratch);
    const float threshold =
        select_candidates(table, coded, k, kernels, &scratch);
    for (const Candidate& candidate : scratch.candidates) {
      // Negated, so that NaN stays.
      if (candidate.upper < threshold) continue;
      best->push_back({scorer(candidate.row), candidate.row});
    }
  }
  const FlatScanStats stats = {table.size(), best->size()};
  keep_best(table, k, best);
  return stats;
}

}  // namespace lamina::search
