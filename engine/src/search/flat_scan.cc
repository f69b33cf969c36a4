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

// Covers the roundings of sums in double, the final scores' own among them,
// where lengths of the inputs are all there is to compare with.
constexpr double kDoubleSlack = 1e-10;

// What products that underflow can lose: 2^30 of them in a sum, half a denormal
// each.
constexpr double kUnderflowSlack = 0x1p-119;

// Codes the query for the rows of one chunk after another. With the query's
// difference to a centre z = s d + t and a row's y = a c + r,
//   |z.y - s a (d.c)| <= |t| |a c| + |z| |r|.
class QueryCoder {
 public:
  QueryCoder(const rows::RowTable& table, double query_length,
             const kernels::KernelSet& kernels, Scratch* scratch)
      : table_(table),
        kernels_(kernels),
        scratch_(*scratch),
        factor_(table.metric() == Metric::cosine ? 1.0 / query_length : 1.0),
        length_(query_length * factor_) {
    if (!euclid()) code(nullptr);
  }

  // For the rows that share this centre; null stands for zeros.
  const kernels::CodedQuery& for_center(const float* center) {
    euclid() ? move_to(center) : shift_by(center);
    return query_;
  }

 private:
  bool euclid() const { return table_.metric() == Metric::euclid; }

  // Euclid: -|q - x|^2 = 2 z.y - |y|^2 - |z|^2, z and y taken from the centre.
  void move_to(const float* center) {
    const double square = code(center);
    query_.constant = static_cast<float>(-square);
    // Differences of floats lose nothing that matters in double.
    query_.base_error =
        kernels::round_up(square * kFloatSlack + kUnderflowSlack);
  }

  // Else: q.x = q.center + q.y.
  void shift_by(const float* center) {
    double constant = 0.0;
    double center_length = 0.0;
    if (center != nullptr) {
      const std::size_t stride = table_.stride();
      const float* query = scratch_.query.get();
      constant = kernels_.dot(query, center, stride) * factor_;
      center_length = std::sqrt(kernels_.dot(center, center, stride));
    }
    query_.constant = static_cast<float>(constant);
    query_.base_error = kernels::round_up(
        std::fabs(constant) * kFloatSlack +
        length_ * center_length * kDoubleSlack + kUnderflowSlack);
  }

  // Returns |z|^2.
  double code(const float* center) {
    const kernels::Quantized coded =
        kernels::quantize(scratch_.query.get(), table_.dimension(), factor_,
                          center, scratch_.codes.get());
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < table_.stride(); ++j) {
      scratch_.wide_codes[j] = scratch_.codes[j];
      sum += scratch_.codes[j];
    }
    const double times = euclid() ? 2.0 : 1.0;
    const double length = std::sqrt(coded.square);
    query_ = {.codes = scratch_.codes.get(),
              .wide = scratch_.wide_codes.get(),
              .code_offset = 128 * sum,
              .scale = static_cast<float>(times) * coded.scale,
              .constant = 0.0f,
              .base_error = 0.0f,
              .norm_weight = kernels::round_up(
                  times * (1.0 + kFloatSlack) *
                  (double{coded.residual} + double{coded.norm} * kFloatSlack)),
              .residual_weight =
                  kernels::round_up(times * length * (1.0 + 2.0 * kFloatSlack)),
              .bias_weight = static_cast<float>(kFloatSlack)};
    return coded.square;
  }

  const rows::RowTable& table_;
  const kernels::KernelSet& kernels_;
  Scratch& scratch_;
  double factor_;  // What the query is multiplied with before it is coded.
  double length_;  // Of the query after that.
  kernels::CodedQuery query_{};
};

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
float select_candidates(const rows::RowTable& table, QueryCoder* coder,
                        std::size_t k, const kernels::KernelSet& kernels,
                        Scratch* scratch) {
  LowerBounds bounds(k, &scratch->lower_bounds);
  Candidate block[kernels::kBlockRows];
  const kernels::CodedQuery* query = nullptr;
  for (std::size_t first = 0; first < table.size();) {
    const auto row = static_cast<rows::Row>(first);
    if (first % table.chunk_rows() == 0) {
      query = &coder->for_center(table.center(row));
    }
    const kernels::CodedRows coded = table.coded_rows(row);
    const std::size_t found =
        kernels.select_rows(coded, *query, bounds.threshold(), block);
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
    QueryCoder coder(table, scorer.query_length(), kernels, &scratch);
    const float threshold =
        select_candidates(table, &coder, k, kernels, &scratch);
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
