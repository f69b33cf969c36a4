#include <algorithm>
#include <cmath>
#include <limits>

#include "lamina/limits.h"
#include "rungs.h"
#include "support/random_points.h"

namespace lamina::test {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
using Floats = std::vector<float>;
using Hits = std::vector<Hit>;

Result<Hits> query(Rungs& rungs, const Floats& vector,
                   const QueryOptions& options = {}) {
  return rungs.ask_items(
      [&](Collection& items) { return items.query(vector, options); });
}

std::vector<PointId> ids_of(const Result<Hits>& hits) {
  std::vector<PointId> ids;
  for (const Hit& hit : hits.value()) ids.push_back(hit.id);
  return ids;
}

void put(Rungs& rungs, std::span<const Point> points) {
  const auto written = rungs.ask_items(
      [&](Collection& items) { return sequence_of(items.upsert(points)); });
  REQUIRE(written.ok());
}

void put(Rungs& rungs, const PointId& id, const Floats& vector,
         const Payload& payload = {}) {
  const Point point{.id = id, .vector = vector, .payload = payload};
  put(rungs, std::span(&point, 1));
}

// Points 1, 2, 3 at distance 1, 2, 3 on a line, under dot.
void put_line(Rungs& rungs) {
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  put(rungs, 1, {1.0f}, payload_of("{\"n\":1}"));
  put(rungs, 2, {2.0f}, payload_of("{\"n\":2}"));
  put(rungs, 3, {3.0f}, payload_of("{\"n\":3}"));
}

TEST_CASE("an empty collection has no hits") {
  Rungs rungs;
  rungs.create_items({.dimension = 2});
  CHECK(query(rungs, {1.0f, 2.0f}).value().empty());
}

TEST_CASE("cosine scores the angle, best first") {
  Rungs rungs;
  rungs.create_items({.dimension = 2, .metric = Metric::cosine});
  put(rungs, 1, {0.0f, 5.0f});
  put(rungs, 2, {3.0f, 0.0f});
  put(rungs, 3, {2.0f, 2.0f});
  put(rungs, 4, {-1.0f, 0.0f});
  const auto hits = query(rungs, {10.0f, 0.0f});
  CHECK(ids_of(hits) == std::vector<PointId>{2, 3, 1, 4});
  CHECK(hits.value()[0].score == 1.0f);
  CHECK(hits.value()[1].score == static_cast<float>(std::sqrt(0.5)));
  CHECK(hits.value()[2].score == 0.0f);
  CHECK(hits.value()[3].score == -1.0f);
}

TEST_CASE("dot scores the product, best first") {
  Rungs rungs;
  put_line(rungs);
  const auto hits = query(rungs, {2.0f});
  CHECK(ids_of(hits) == std::vector<PointId>{3, 2, 1});
  CHECK(hits.value()[0].score == 6.0f);
  CHECK(ids_of(query(rungs, {-2.0f})) == std::vector<PointId>{1, 2, 3});
}

TEST_CASE("euclid scores the distance, smallest first") {
  Rungs rungs;
  rungs.create_items({.dimension = 2, .metric = Metric::euclid});
  put(rungs, 1, {3.0f, 4.0f});
  put(rungs, 2, {0.0f, 1.0f});
  put(rungs, 3, {0.0f, 0.0f});
  const auto hits = query(rungs, {0.0f, 0.0f});
  CHECK(ids_of(hits) == std::vector<PointId>{3, 2, 1});
  CHECK(hits.value()[0].score == 0.0f);
  CHECK(hits.value()[1].score == 1.0f);
  CHECK(hits.value()[2].score == 5.0f);
}

TEST_CASE("equal scores come by ascending id, numbers before UUIDs") {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    Rungs rungs;
    rungs.create_items({.dimension = 3, .metric = metric});
    const Floats vector{0.1f, 0.2f, 0.3f};
    std::vector<Point> points;
    for (std::uint64_t i = 0; i < 100; ++i) {
      const std::uint64_t id = (i * 37) % 100;  // In no order.
      points.push_back({.id = id, .vector = vector, .payload = {}});
    }
    points.push_back(
        {.id = PointId::from_name("u"), .vector = vector, .payload = {}});
    put(rungs, points);
    const auto hits = query(rungs, {1.0f, 2.0f, 4.0f}, {.top_k = 101});
    const std::vector<PointId> ids = ids_of(hits);
    CHECK(ids.size() == 101);
    CHECK(std::is_sorted(ids.begin(), ids.end()));
    CHECK(ids_of(query(rungs, {1.0f, 2.0f, 4.0f}, {.top_k = 3})) ==
          std::vector<PointId>{0, 1, 2});
  }
}

TEST_CASE("top_k beyond the collection returns all of it") {
  Rungs rungs;
  put_line(rungs);
  for (const std::uint64_t top_k :
       {std::uint64_t{3}, std::uint64_t{4}, std::uint64_t{1'000'000'000'000},
        kMaxCount}) {
    CAPTURE(top_k);
    CHECK(query(rungs, {1.0f}, {.top_k = top_k}).value().size() == 3);
  }
}

TEST_CASE("top_k and offset have bounds, and the error names the field") {
  Rungs rungs;
  put_line(rungs);
  for (const std::uint64_t bad : {std::uint64_t{0}, kMaxCount + 1, kMax}) {
    CAPTURE(bad);
    const Status status = query(rungs, {1.0f}, {.top_k = bad}).status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.field() == "top_k");
    if (bad == 0) continue;
    CHECK(query(rungs, {1.0f}, {.offset = bad}).status().field() == "offset");
  }
}

TEST_CASE("offset leaves out the best hits") {
  Rungs rungs;
  put_line(rungs);
  CHECK(ids_of(query(rungs, {1.0f}, {.top_k = 1, .offset = 1})) ==
        std::vector<PointId>{2});
  CHECK(ids_of(query(rungs, {1.0f}, {.top_k = 9, .offset = 2})) ==
        std::vector<PointId>{1});
  CHECK(query(rungs, {1.0f}, {.offset = 3}).value().empty());
  CHECK(query(rungs, {1.0f}, {.top_k = kMaxCount, .offset = kMaxCount})
            .value()
            .empty());
}

TEST_CASE("score_threshold leaves out what is worse, and keeps its equals") {
  Rungs rungs;
  put_line(rungs);
  CHECK(ids_of(query(rungs, {1.0f}, {.score_threshold = 2.0f})) ==
        std::vector<PointId>{3, 2});
  CHECK(query(rungs, {1.0f}, {.score_threshold = 3.5f}).value().empty());
  CHECK(ids_of(query(rungs, {1.0f},
                     {.top_k = 1, .offset = 1, .score_threshold = 2.0f})) ==
        std::vector<PointId>{2});
  Rungs distances;
  distances.create_items({.dimension = 1, .metric = Metric::euclid});
  put(distances, 1, {1.0f});
  put(distances, 2, {2.0f});
  put(distances, 3, {3.0f});
  CHECK(ids_of(query(distances, {0.0f}, {.score_threshold = 2.0f})) ==
        std::vector<PointId>{1, 2});
}

TEST_CASE("payload and vector come along when asked for") {
  Rungs rungs;
  put_line(rungs);
  for (const bool with_payload : {true, false}) {
    for (const bool with_vector : {true, false}) {
      const auto hits =
          query(rungs, {1.0f},
                {.with_payload = with_payload, .with_vector = with_vector});
      REQUIRE(hits.ok());
      const Hit& best = hits->front();
      REQUIRE(best.payload.has_value() == with_payload);
      REQUIRE(best.vector.has_value() == with_vector);
      if (with_payload) CHECK(best.payload->json() == "{\"n\":3}");
      if (with_vector) CHECK(*best.vector == Floats{3.0f});
    }
  }
}

TEST_CASE("a bad query vector is refused on every rung in the same words") {
  Rungs rungs;
  rungs.create_items({.dimension = 2, .metric = Metric::cosine});
  put(rungs, 1, {1.0f, 2.0f});
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Floats& bad :
       {Floats{}, Floats{1.0f}, Floats{1.0f, 2.0f, 3.0f}, Floats{nan, 1.0f},
        Floats{1.0f, infinity}, Floats{-infinity, 1.0f}, Floats{0.0f, -0.0f}}) {
    CAPTURE(bad.size());
    CHECK(query(rungs, bad).status().code() == StatusCode::invalid_argument);
    const Floats good{1.0f, 1.0f};
    const std::vector<VectorView> batch{good, bad};
    const Status status = rungs
                              .ask_items([&](Collection& items) {
                                return items.query_batch(batch);
                              })
                              .status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.message().find("[1]") != std::string::npos);
  }
}

TEST_CASE("a threshold that is not finite is refused") {
  Rungs rungs;
  put_line(rungs);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    CHECK(query(rungs, {1.0f}, {.score_threshold = bad}).status().field() ==
          "score_threshold");
  }
}

TEST_CASE("tiny and huge vectors are scored alike on every rung") {
  using Limits = std::numeric_limits<float>;
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    Rungs rungs;
    rungs.create_items({.dimension = 2, .metric = metric});
    put(rungs, 1, {Limits::denorm_min(), 0.0f});
    put(rungs, 2, {Limits::max(), Limits::max()});
    put(rungs, 3, {-0.0f, Limits::min()});
    put(rungs, 4, {Limits::lowest(), 1.0f});
    for (const Floats& vector :
         {Floats{1.0f, 1.0f}, Floats{Limits::max(), Limits::max()},
          Floats{Limits::denorm_min(), -0.0f}}) {
      CHECK(query(rungs, vector).ok());
    }
  }
}

TEST_CASE("query_by_id searches by a stored vector and leaves the point out") {
  Rungs rungs;
  put_line(rungs);
  const auto by_id = [&](const PointId& id, const QueryOptions& options) {
    return rungs.ask_items(
        [&](Collection& items) { return items.query_by_id(id, options); });
  };
  CHECK(ids_of(by_id(2, {})) == std::vector<PointId>{3, 1});
  CHECK(ids_of(by_id(3, {.top_k = 1})) == std::vector<PointId>{2});
  CHECK(ids_of(by_id(3, {.top_k = 1, .offset = 1})) == std::vector<PointId>{1});
  CHECK(by_id(9, {}).status().code() == StatusCode::not_found);
  CHECK(by_id(PointId::from_name("x"), {}).status().code() ==
        StatusCode::not_found);
  CHECK(by_id(1, {.top_k = 0}).status().field() == "top_k");
}

TEST_CASE("a batch answers each query as a query of its own") {
  Rungs rungs;
  rungs.create_items({.dimension = 8});
  const RandomPoints points(200, 8, 1);
  const RandomPoints queries(20, 8, 2);
  put(rungs, points.points());
  const QueryOptions options{.top_k = 7,
                             .offset = 1,
                             .score_threshold = 0.1f,
                             .with_payload = true,
                             .with_vector = true};
  std::vector<VectorView> vectors;
  for (const Point& point : queries.points()) vectors.push_back(point.vector);
  const auto lists = rungs.ask_items(
      [&](Collection& items) { return items.query_batch(vectors, options); });
  REQUIRE(lists.ok());
  REQUIRE(lists->size() == vectors.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto single = rungs.ask_items(
        [&](Collection& items) { return items.query(vectors[i], options); });
    REQUIRE(single.ok());
    CHECK(same_bits(*single, (*lists)[i]));
  }
}

TEST_CASE(
    "an empty batch has no answers, and options are checked all the same") {
  Rungs rungs;
  put_line(rungs);
  const auto batch = [&](const QueryOptions& options) {
    return rungs.ask_items([&](Collection& items) {
      return items.query_batch(std::span<const VectorView>(), options);
    });
  };
  CHECK(batch({}).value().empty());
  CHECK(batch({.top_k = 0}).status().field() == "top_k");
}

}  // namespace
}  // namespace lamina::test
