#include "arms/best_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lamina::bench {
namespace {

// Scores that are looked at together: few blocks hold one that passes, and a
// compiler can vectorise the question.
constexpr std::size_t kBlock = 64;

bool any_above(std::span<const float> scores, float threshold) {
  std::uint32_t above = 0;
  for (float score : scores) above |= score > threshold ? 1u : 0u;
  return above != 0;
}

void insert(RowScore entry, std::size_t k, std::vector<RowScore>* best) {
  if (best->size() == k) best->pop_back();
  const auto place = std::find_if(
      best->begin(), best->end(),
      [&](const RowScore& other) { return other.score < entry.score; });
  best->insert(place, entry);
}

}  // namespace

void select_best(std::span<const float> scores, std::size_t k,
                 std::vector<RowScore>* best) {
  best->clear();
  float threshold = -std::numeric_limits<float>::infinity();
  for (std::size_t first = 0; first < scores.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, scores.size() - first);
    if (!any_above(scores.subspan(first, count), threshold)) continue;
    for (std::size_t row = first; row < first + count; ++row) {
      if (!(scores[row] > threshold)) continue;
      insert({row, scores[row]}, k, best);
      if (best->size() == k) threshold = best->back().score;
    }
  }
}

void normalise(std::span<float> vector) {
  const double square =
      std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
  if (square == 0.0) return;
  const auto scale = static_cast<float>(1.0 / std::sqrt(square));
  for (float& value : vector) value *= scale;
}

}  // namespace lamina::bench
