#include "rows/row_table.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "support/random_points.h"

namespace lamina::rows {
namespace {

struct Expected {
  std::vector<float> vector;
  std::uint64_t version;
};

void check_equal(const RowTable& table,
                 const std::map<PointId, Expected>& model) {
  REQUIRE(table.size() == model.size());
  for (const auto& [id, expected] : model) {
    const std::optional<Row> row = table.find(id);
    REQUIRE(row.has_value());
    CHECK(table.id(*row) == id);
    CHECK(table.version(*row) == expected.version);
    const VectorView vector = table.vector(*row);
    CHECK(std::vector<float>(vector.begin(), vector.end()) == expected.vector);
  }
}

TEST_CASE("any history of puts and erases equals a plain map") {
  // Dimension 5,000 makes chunks of few rows, so that borders are crossed.
  for (const std::size_t dimension : {3u, 5000u}) {
    test::Random random(31);
    RowTable table(dimension, Metric::dot);
    std::map<PointId, Expected> model;
    for (std::uint64_t step = 1; step <= 1500; ++step) {
      const PointId id(random.below(700));
      if (random.below(5) < 2) {
        CHECK(table.erase(id) == (model.erase(id) == 1));
        continue;
      }
      const std::vector<float> vector = random.vector(dimension);
      table.put(id, vector, {}, step);
      model[id] = {vector, step};
    }
    CAPTURE(dimension);
    check_equal(table, model);
    for (const auto& [id, expected] : model) CHECK(table.erase(id));
    CHECK(table.size() == 0);
  }
}

TEST_CASE("what lies beyond the dimension is zero, also after a move") {
  RowTable table(3, Metric::dot);
  table.put(PointId(1), std::vector<float>{1, 2, 3}, {}, 1);
  table.put(PointId(2), std::vector<float>{4, 5, 6}, {}, 2);
  table.erase(PointId(1));
  const float* row = table.padded_vector(*table.find(PointId(2)));
  CHECK(row[0] == 4.0f);
  for (std::size_t j = 3; j < table.stride(); ++j) CHECK(row[j] == 0.0f);
}

}  // namespace
}  // namespace lamina::rows
