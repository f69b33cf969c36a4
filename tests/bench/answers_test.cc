#include "experiments/answers.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using lamina::Hit;
using lamina::bench::AnswerCheck;
using lamina::bench::Answers;
using lamina::bench::DataSet;
using lamina::bench::kTopK;

namespace {

// Two queries whose answers are ids 0..9 and 10..19.
DataSet two_queries() {
  DataSet data;
  data.truth_ids = {2, kTopK, {}};
  data.truth_scores = {2, kTopK, {}};
  for (int i = 0; i < 2 * static_cast<int>(kTopK); ++i) {
    data.truth_ids.values.push_back(i);
    data.truth_scores.values.push_back(0.9 - 0.01 * (i % 10));
  }
  return data;
}

std::vector<Hit> answer_to(const DataSet& data, std::size_t query) {
  std::vector<Hit> hits(kTopK);
  for (std::size_t i = 0; i < kTopK; ++i) {
    hits[i].id = static_cast<std::uint64_t>(data.truth_ids.row(query)[i]);
    hits[i].score = static_cast<float>(data.truth_scores.row(query)[i]);
  }
  return hits;
}

}  // namespace

TEST_CASE("the true answer passes and is counted") {
  const DataSet data = two_queries();
  AnswerCheck check(data, Answers::exact, 0);
  CHECK(check.check(1, answer_to(data, 1)).ok());
  CHECK(check.answers() == 1);
  CHECK(check.hits_in_truth() == kTopK);
}

TEST_CASE("an exact arm may not swap, miss, or shift a score") {
  const DataSet data = two_queries();
  AnswerCheck check(data, Answers::exact, 0);
  std::vector<Hit> swapped = answer_to(data, 0);
  std::swap(swapped[3], swapped[4]);
  CHECK_FALSE(check.check(0, swapped).ok());
  std::vector<Hit> shorter = answer_to(data, 0);
  shorter.pop_back();
  CHECK_FALSE(check.check(0, shorter).ok());
  std::vector<Hit> shifted = answer_to(data, 0);
  shifted[9].score += 1e-6f;
  CHECK_FALSE(check.check(0, shifted).ok());
  CHECK_FALSE(check.check(0, answer_to(data, 1)).ok());
}

TEST_CASE("a close arm may name another id, not another score") {
  const DataSet data = two_queries();
  AnswerCheck check(data, Answers::close, 0);
  std::vector<Hit> hits = answer_to(data, 0);
  hits[9].id = 77;
  CHECK(check.check(0, hits).ok());
  CHECK(check.hits_in_truth() == kTopK - 1);
  hits[9].score += 1e-4f;
  CHECK_FALSE(check.check(0, hits).ok());
}

TEST_CASE("the stub's answer is held against the query it was recorded for") {
  const DataSet data = two_queries();
  AnswerCheck check(data, Answers::recorded, 1);
  CHECK(check.check(0, answer_to(data, 1)).ok());
  CHECK_FALSE(check.check(1, answer_to(data, 0)).ok());
}

TEST_CASE("a digest differs by one bit of one score") {
  const DataSet data = two_queries();
  AnswerCheck one(data, Answers::close, 0);
  AnswerCheck two(data, Answers::close, 0);
  std::vector<Hit> hits = answer_to(data, 0);
  CHECK(one.check(0, hits).ok());
  hits[0].score += 1e-7f;
  CHECK(two.check(0, hits).ok());
  CHECK(one.digest() != two.digest());
}
