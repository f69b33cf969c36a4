#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "engine/filter/naive_filter.h"
#include "engine/filter/random_filters.h"
#include "filter/filter_engine.h"
#include "rows/row_table.h"

namespace lamina {
namespace {

using filter::FilterEngine;
using test::JsonTree;
using test::RandomFilters;

// The same rows, filtered in every way there is, beside a plain list of them.
class Model {
 public:
  explicit Model(RandomFilters* random)
      : random_(*random), rows_(1, Metric::dot) {}

  // A new point, another payload of a known one, or one point less.
  void write() {
    const PointId id = random_.id();
    const std::optional<rows::Row> row = rows_.find(id);
    if (row && random_.chance(40)) {
      erase(id, *row);
    } else {
      put(id, random_.payload());
    }
  }

  void toggle_index() {
    const std::string key = random_.path();
    if (random_.chance(20)) {
      indexed_.drop_index(key);
      return;
    }
    const auto type = static_cast<PayloadIndexType>(random_.below(7));
    REQUIRE(indexed_.create_index(key, type, rows_).ok());
  }

  void check(const Filter& filter) const {
    const search::RowSet expected = naive(filter);
    for (const FilterEngine* engine : {&by_column_, &indexed_, &by_payload_}) {
      const auto found = engine->matching(filter, rows_);
      REQUIRE_MESSAGE(found.ok(), found.status().to_string());
      CHECK(found->rows == expected);
    }
  }

 private:
  void put(const PointId& id, const JsonTree& tree) {
    const Payload payload = Payload::from_json(to_text(tree)).value();
    const float vector = 1.0f;
    rows_.put(id, {&vector, 1}, payload, 1);
    const rows::Row row = rows_.find(id).value();
    if (row == payloads_.size()) payloads_.emplace_back();
    payloads_[row] = tree;
    for (FilterEngine* engine : {&by_column_, &indexed_, &by_payload_}) {
      engine->put(row, payload);
    }
  }

  void erase(const PointId& id, rows::Row row) {
    rows_.erase(id);
    payloads_[row] = payloads_.back();
    payloads_.pop_back();
    for (FilterEngine* engine : {&by_column_, &indexed_, &by_payload_}) {
      engine->erase(row);
    }
  }

  search::RowSet naive(const Filter& filter) const {
    search::RowSet expected(rows_.size());
    for (rows::Row row = 0; row < rows_.size(); ++row) {
      if (naive_matches(filter, &rows_.id(row), payloads_[row],
                        random_.paths())) {
        expected.insert(row);
      }
    }
    return expected;
  }

  RandomFilters& random_;
  rows::RowTable rows_;
  std::vector<JsonTree> payloads_;  // By row.
  FilterEngine by_column_;
  FilterEngine indexed_;
  FilterEngine by_payload_{/*max_column_bytes=*/0};
};

TEST_CASE(
    "100,000 random filters agree with a naive evaluator while rows change") {
  constexpr int kRounds = 400;
  constexpr int kStepsPerRound = 25;
  constexpr int kFiltersPerStep = 10;
  for (int round = 0; round < kRounds; ++round) {
    RandomFilters random(static_cast<std::uint64_t>(round));
    Model model(&random);
    for (int step = 0; step < kStepsPerRound; ++step) {
      for (std::size_t left = random.below(8); left > 0; --left) model.write();
      if (random.chance(30)) model.toggle_index();
      for (int i = 0; i < kFiltersPerStep; ++i) model.check(random.filter());
    }
  }
}

}  // namespace
}  // namespace lamina
