#include "search/refiner.h"

#include <algorithm>
#include <limits>

#include "search/exact_score.h"

namespace lamina::search {
namespace {

using kernels::Candidate;
using rows::Row;

// How far fetching runs ahead of scoring.
constexpr std::size_t kRowsAhead = 2;

}  // namespace

void Refiner::begin(const rows::RowView& table, const FlatQuery& query,
                    const kernels::KernelSet& kernels) {
  table_ = &table;
  kernels_ = &kernels;
  coder_.begin(table, query.vector, kernels);
  bounds_.begin(std::max<std::size_t>(query.k, 1),
                query.score_threshold
                    ? coder_.goodness_of(*query.score_threshold)
                    : kNoThreshold);
  scored_.clear();
  refined_count_ = 0;
}

float Refiner::threshold() const {
  return std::max(bounds_.threshold(), std::numeric_limits<float>::lowest());
}

void Refiner::refine(Row first, std::vector<std::uint32_t>* listed) {
  const auto chunk_rows = static_cast<std::uint32_t>(table_->chunk_rows());
  refined_count_ += listed->size();
  candidates_.resize(listed->size());
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < listed->size();) {
    const std::uint32_t chunk = (*listed)[begin] / chunk_rows * chunk_rows;
    std::size_t end = begin;
    for (; end < listed->size() && (*listed)[end] - chunk < chunk_rows; ++end) {
      (*listed)[end] -= chunk;
    }
    found += refine_chunk(first + chunk, listed->data() + begin, end - begin,
                          candidates_.data() + found);
    begin = end;
  }
  candidates_.resize(found);
  score(&candidates_);
}

std::size_t Refiner::refine_chunk(Row first, const std::uint32_t* listed,
                                  std::size_t count, Candidate* out) {
  const std::size_t found = kernels_->select_listed(
      table_->coded_rows(first), coder_.for_chunk(*table_, first), listed,
      count, bounds_.threshold(), out);
  for (std::size_t i = 0; i < found; ++i) {
    out[i].row = first + listed[out[i].row];
  }
  return found;
}

void Refiner::score(std::vector<Candidate>* candidates) {
  const ExactScorer scorer(*table_, coder_.padded(), coder_.length(),
                           *kernels_);
  // The most promising first, so that the threshold rises soon.
  std::sort(
      candidates->begin(), candidates->end(),
      [](const Candidate& a, const Candidate& b) { return a.upper > b.upper; });
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    if ((*candidates)[i].upper < bounds_.threshold()) break;
    if (i + kRowsAhead < candidates->size()) {
      scorer.prefetch((*candidates)[i + kRowsAhead].row);
    }
    const Row row = (*candidates)[i].row;
    const double score = scorer(row);
    bounds_.add(coder_.goodness_of(to_user_score(score)));
    scored_.push_back({score, row});
  }
}

}  // namespace lamina::search
