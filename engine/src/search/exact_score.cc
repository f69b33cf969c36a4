#include "search/exact_score.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace lamina::search {

ExactScorer::ExactScorer(const rows::RowView& table, const float* padded_query,
                         double query_length, const kernels::KernelSet& kernels)
    : table_(table),
      query_(padded_query),
      kernels_(kernels),
      query_length_(query_length) {}

double ExactScorer::operator()(rows::Row row) const {
  const float* values = table_.padded_vector(row);
  const std::size_t count = table_.stride();
  if (table_.metric() == Metric::euclid) {
    return std::sqrt(kernels_.squared_distance(query_, values, count));
  }
  if (table_.metric() == Metric::manhattan) {
    return kernels_.absolute_distance(query_, values, count);
  }
  const double dot = kernels_.dot(query_, values, count);
  if (table_.metric() == Metric::dot) return dot;
  return std::clamp(dot / (query_length_ * table_.length(row)), -1.0, 1.0);
}

void ExactScorer::prefetch(rows::Row row) const {
  const float* values = table_.padded_vector(row);
  constexpr std::size_t kFloatsPerLine = rows::kCacheLineBytes / sizeof(float);
  for (std::size_t j = 0; j < table_.stride(); j += kFloatsPerLine) {
    __builtin_prefetch(values + j);
  }
}

float to_user_score(double score) {
  return static_cast<float>(
      std::clamp(score, -double{FLT_MAX}, double{FLT_MAX}));
}

}  // namespace lamina::search
