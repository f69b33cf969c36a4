#include "experiments/answers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace lamina::bench {
namespace {

// Half a unit in the last place of a float32 near 1, and of the truth file.
constexpr double kExactScoreError = 1e-7;
// Sums of 384 float32 products.
constexpr double kFloatSumError = 1e-5;

void mix(std::uint64_t value, std::uint64_t* digest) {
  for (int shift = 0; shift < 64; shift += 8) {
    *digest ^= (value >> shift) & 0xffu;
    *digest *= 0x100000001b3u;
  }
}

Status wrong(std::size_t query, std::size_t rank, const std::string& what) {
  return Status::internal("query " + std::to_string(query) + ", rank " +
                          std::to_string(rank) + ": " + what);
}

}  // namespace

Status AnswerCheck::check(std::size_t query, std::span<const Hit> hits) {
  if (kind_ == Answers::none) return {};
  if (kind_ == Answers::recorded) query = recorded_query_;
  if (hits.size() != kTopK) {
    return wrong(query, hits.size(),
                 "the answer ends, not after " + std::to_string(kTopK));
  }
  const std::int32_t* ids = data_.truth_ids.row(query);
  const double* scores = data_.truth_scores.row(query);
  const double allowed =
      kind_ == Answers::close ? kFloatSumError : kExactScoreError;
  for (std::size_t rank = 0; rank < kTopK; ++rank) {
    const Hit& hit = hits[rank];
    const auto id = static_cast<std::uint64_t>(ids[rank]);
    if (kind_ != Answers::close && hit.id != PointId(id)) {
      return wrong(query, rank,
                   "id " + hit.id.to_string() + ", not " + std::to_string(id));
    }
    if (!(std::abs(static_cast<double>(hit.score) - scores[rank]) <= allowed)) {
      return wrong(query, rank,
                   "score " + std::to_string(hit.score) + ", not " +
                       std::to_string(scores[rank]));
    }
    const bool in_truth =
        std::any_of(ids, ids + kTopK, [&](std::int32_t true_id) {
          return hit.id == PointId(static_cast<std::uint64_t>(true_id));
        });
    hits_in_truth_ += in_truth ? 1 : 0;
    mix(hit.id.number(), &digest_);
    mix(std::bit_cast<std::uint32_t>(hit.score), &digest_);
  }
  hits_ += kTopK;
  ++answers_;
  return {};
}

}  // namespace lamina::bench
