#include "experiments/truth.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <span>
#include <vector>

namespace lamina::bench {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

struct Scored {
  std::size_t row;
  double score;

  bool operator<(const Scored& other) const {  // Better comes first.
    if (score != other.score) return score > other.score;
    return row < other.row;
  }
};

// How far the cosine of two unit vectors and the float32 sum of their products
// can be apart: in any order of additions, dimension * 2^-24 relative to the
// lengths, twice that for good measure; and lengths of 1 are only as good as
// float32.
double rounding(std::size_t dimension) {
  return static_cast<double>(dimension) * 0x1p-23 + 1e-6;
}

double dot(VectorView a, VectorView b) {
  return std::inner_product(
      a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
      [](float x, float y) { return static_cast<double>(x) * y; });
}

// What may be among the best of one query.
class Candidates {
 public:
  Candidates(std::size_t k, double slack) : k_(k), slack_(slack) {}

  void add(std::size_t row, float score) {
    if (best_.size() == k_ && score < best_.top() - slack_) return;
    rows_.push_back({row, score});
    best_.push(score);
    if (best_.size() > k_) best_.pop();
  }

  std::vector<Scored> best(const DataSet& data, VectorView query) const {
    const double query_square = dot(query, query);
    std::vector<Scored> scored;
    for (const Scored& candidate : rows_) {
      if (candidate.score < best_.top() - slack_) continue;
      const VectorView row = data.vector(candidate.row);
      scored.push_back(
          {candidate.row,
           dot(query, row) / std::sqrt(query_square * dot(row, row))});
    }
    std::sort(scored.begin(), scored.end());
    scored.resize(std::min(k_, scored.size()));
    return scored;
  }

 private:
  std::size_t k_;
  double slack_;
  std::vector<Scored> rows_;
  // The k largest scores so far, the least of them on top.
  std::priority_queue<double, std::vector<double>, std::greater<>> best_;
};

}  // namespace

void find_truth(std::size_t k, DataSet* data) {
  const std::size_t queries = data->queries.rows;
  const std::size_t columns = data->base.columns;
  k = std::min(k, data->base.rows);
  std::vector<Candidates> candidates(queries,
                                     Candidates(k, 2.0 * rounding(columns)));
  std::vector<float> scores(queries * kRowsAtOnce);
  for (std::size_t first = 0; first < data->base.rows; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, data->base.rows - first);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans,
                static_cast<int>(queries), static_cast<int>(count),
                static_cast<int>(columns), 1.0f, data->queries.values.data(),
                static_cast<int>(columns), data->base.row(first),
                static_cast<int>(columns), 0.0f, scores.data(),
                static_cast<int>(count));
    for (std::size_t q = 0; q < queries; ++q) {
      for (std::size_t i = 0; i < count; ++i)
        candidates[q].add(first + i, scores[q * count + i]);
    }
  }
  data->truth_ids = {queries, k, {}};
  data->truth_scores = {queries, k, {}};
  for (std::size_t q = 0; q < queries; ++q) {
    for (const Scored& best : candidates[q].best(*data, data->query(q))) {
      data->truth_ids.values.push_back(static_cast<std::int32_t>(best.row));
      data->truth_scores.values.push_back(best.score);
    }
  }
}

}  // namespace lamina::bench
