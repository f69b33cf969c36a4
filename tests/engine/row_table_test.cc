#include "rows/row_table.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
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

// All that a scan or a hit reads of some rows, copied out.
struct Contents {
  explicit Contents(const RowView& view) {
    for (Row row = 0; row < view.size(); ++row) {
      ids.push_back(view.id(row));
      versions.push_back(view.version(row));
      payloads.emplace_back(view.payload(row).json());
      const VectorView vector = view.vector(row);
      values.insert(values.end(), vector.begin(), vector.end());
      const kernels::CodedRows codes = view.coded_rows(row);
      bytes.insert(bytes.end(), codes.codes, codes.codes + codes.stride);
      floats.insert(floats.end(), {codes.scale[0], codes.norm[0],
                                   codes.residual[0], codes.bias[0]});
      const float* center = view.center(row);
      floats.push_back(center == nullptr ? 0.0f : center[0]);
    }
  }
  bool operator==(const Contents&) const = default;

  std::vector<PointId> ids;
  std::vector<std::uint64_t> versions;
  std::vector<std::string> payloads;
  std::vector<float> values;
  std::vector<std::uint8_t> bytes;
  std::vector<float> floats;
};

TEST_CASE("a view stays what it was, whatever is written") {
  for (const std::size_t dimension : {200u, 5000u}) {
    CAPTURE(dimension);
    test::Random random(77);
    RowTable table(dimension, Metric::dot,
                   CodingRules{.center = CodingRule::always});
    struct Kept {
      std::shared_ptr<const RowView> view;
      Contents contents;
    };
    std::vector<Kept> kept;
    for (std::uint64_t step = 1; step <= 1200; ++step) {
      const std::vector<PointId> ids = {PointId(random.below(500))};
      RowTable::Copies copies = table.copies_for(ids);
      table.begin_change();
      if (random.below(4) != 0) table.use(std::move(copies));
      switch (random.below(4)) {
        case 0:
          table.erase(ids[0]);
          break;
        case 1:
          if (const auto row = table.find(ids[0])) {
            table.set_payload(*row, Payload::from_json(R"({"a":1})").value(),
                              step);
          }
          break;
        default:
          table.put(ids[0], random.vector(dimension), {}, step);
      }
      table.end_change();
      if (random.below(60) == 0) {
        kept.push_back({table.view(), Contents(*table.view())});
      }
      if (kept.size() > 4) kept.erase(kept.begin() + random.below(4));
    }
    CHECK(Contents(*table.view()) == Contents(table));
    REQUIRE(kept.size() > 2);
    for (const Kept& one : kept) CHECK(Contents(*one.view) == one.contents);
  }
}

TEST_CASE("rows that nobody views are changed where they are") {
  RowTable table(8, Metric::dot);
  table.put(PointId(1), std::vector<float>(8, 1.0f), {}, 1);
  table.end_change();
  const float* place = table.padded_vector(0);
  table.begin_change();
  table.put(PointId(1), std::vector<float>(8, 2.0f), {}, 2);
  CHECK(table.padded_vector(0) == place);
  table.end_change();
  const auto view = table.view();
  table.begin_change();
  table.put(PointId(1), std::vector<float>(8, 3.0f), {}, 3);
  CHECK(table.padded_vector(0) != place);
  CHECK(view->padded_vector(0) == place);
  CHECK(place[0] == 2.0f);
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
