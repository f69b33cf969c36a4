#pragma once

#include <cstdint>
#include <span>

#include "core/data_set.h"
#include "experiments/ladder_plan.h"
#include "lamina/results.h"
#include "lamina/status.h"

namespace lamina::bench {

// Holds the answers of one arm against the truth file and sums them up.
class AnswerCheck {
 public:
  // `recorded_query` is the one that the stub's answers belong to.
  AnswerCheck(const DataSet& data, Answers kind, std::size_t recorded_query)
      : data_(data), kind_(kind), recorded_query_(recorded_query) {}

  //   internal: wrong ids or scores; says at which rank.
  Status check(std::size_t query, std::span<const Hit> hits);

  // FNV-1a over ids and score bits in the order of the calls.
  std::uint64_t digest() const { return digest_; }
  std::uint64_t answers() const { return answers_; }
  std::uint64_t hits() const { return hits_; }
  std::uint64_t hits_in_truth() const { return hits_in_truth_; }

 private:
  const DataSet& data_;
  Answers kind_;
  std::size_t recorded_query_;
  std::uint64_t digest_ = 0xcbf29ce484222325u;
  std::uint64_t answers_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t hits_in_truth_ = 0;
};

}  // namespace lamina::bench
