#include <string>

#include "lamina/limits.h"
#include "rungs.h"
#include "support/random_points.h"

// Queries, counts and indexes under a filter, on every rung.

namespace lamina::test {
namespace {

using where::match;

constexpr std::uint64_t kPoints = 300;
constexpr std::size_t kDimension = 8;

// Point i has {"part": i % 10, "name": "p<i>", "tags": [i % 2, i % 3]}.
void put_points(Rungs& rungs, Metric metric = Metric::cosine) {
  rungs.create_items({.dimension = kDimension, .metric = metric});
  const RandomPoints random(kPoints, kDimension, 11);
  std::vector<Point> points(random.points().begin(), random.points().end());
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    points[i].payload =
        payload_of("{\"part\":" + std::to_string(i % 10) + ",\"name\":\"p" +
                   std::to_string(i) + "\",\"tags\":[" + std::to_string(i % 2) +
                   ',' + std::to_string(i % 3) + "]}");
  }
  rungs.compare_items(
      [&](Collection& items) { return sequence_of(items.upsert(points)); });
}

Filter part_is(std::int64_t part) {
  return Filter::all_of({match("part", part)});
}

Result<std::vector<Hit>> query(Rungs& rungs, VectorView vector,
                               const QueryOptions& options) {
  return rungs.ask_items(
      [&](Collection& items) { return items.query(vector, options); });
}

// Those of `all` that the condition holds for, cut as the options say.
template <class Holds>
std::vector<Hit> expected(const std::vector<Hit>& all, const Holds& holds,
                          const QueryOptions& options) {
  std::vector<Hit> hits;
  for (const Hit& hit : all) {
    if (holds(hit.id.number())) hits.push_back(hit);
  }
  hits.erase(hits.begin(),
             hits.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                options.offset, hits.size())));
  if (hits.size() > options.top_k) hits.resize(options.top_k);
  return hits;
}

TEST_CASE(
    "a filtered query has the best of the points that match, to the bit") {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    Rungs rungs;
    put_points(rungs, metric);
    const RandomPoints queries(5, kDimension, 12);
    for (const Point& point : queries.points()) {
      const auto all = query(rungs, point.vector, {.top_k = kPoints});
      for (const std::uint64_t top_k : {1u, 7u, 30u, 1'000u}) {
        QueryOptions options{.top_k = top_k, .offset = top_k % 3};
        options.filter = part_is(3);
        CHECK(same_bits(
            query(rungs, point.vector, options).value(),
            expected(
                *all, [](auto id) { return id % 10 == 3; }, options)));
        options.filter = Filter::none_of({match("tags", std::int64_t{1})});
        CHECK(same_bits(
            query(rungs, point.vector, options).value(),
            expected(
                *all, [](auto id) { return id % 2 != 1 && id % 3 != 1; },
                options)));
        options.filter = part_is(99);
        CHECK(query(rungs, point.vector, options).value().empty());
      }
    }
  }
}

TEST_CASE("threshold, payload and vector go with a filter") {
  Rungs rungs;
  put_points(rungs);
  const RandomPoints queries(1, kDimension, 13);
  QueryOptions options{.top_k = kPoints, .score_threshold = 0.1f};
  options.with_payload = true;
  options.with_vector = true;
  const VectorView vector = queries.points()[0].vector;
  const auto all = query(rungs, vector, options);
  options.filter = part_is(4);
  const auto hits = query(rungs, vector, options);
  CHECK_FALSE(hits->empty());
  CHECK(same_bits(*hits,
                  expected(
                      *all, [](auto id) { return id % 10 == 4; }, options)));
}

TEST_CASE("query by id and in a batch obey the filter") {
  Rungs rungs;
  put_points(rungs);
  QueryOptions options{.top_k = 50};
  options.filter = part_is(5);
  for (const PointId& id : {PointId(5), PointId(6)}) {  // In it, and not.
    const auto hits = rungs.ask_items(
        [&](Collection& items) { return items.query_by_id(id, options); });
    REQUIRE(hits.ok());
    CHECK(hits->size() == (id == PointId(5) ? 29 : 30));
    for (const Hit& hit : *hits) {
      CHECK(hit.id.number() % 10 == 5);
      CHECK(hit.id != id);
    }
  }
  const RandomPoints queries(4, kDimension, 14);
  std::vector<VectorView> vectors;
  for (const Point& point : queries.points()) vectors.push_back(point.vector);
  const auto lists = rungs.ask_items(
      [&](Collection& items) { return items.query_batch(vectors, options); });
  REQUIRE(lists.ok());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    CHECK(same_bits((*lists)[i], query(rungs, vectors[i], options).value()));
  }
}

TEST_CASE("count counts what matches") {
  Rungs rungs;
  put_points(rungs);
  const auto count = [&](const Filter& filter) {
    return rungs
        .ask_items([&](Collection& items) { return items.count(filter); })
        .value();
  };
  CHECK(count({}) == kPoints);
  CHECK(count(part_is(1)) == 30);
  CHECK(count(Filter::any_of({match("part", std::int64_t{1}),
                              where::range("part", {.gte = 8})})) == 90);
  CHECK(count(Filter::all_of({where::has_id({1, 2, 9'999})})) == 2);
  CHECK(count(Filter::all_of({where::is_empty("none")})) == kPoints);
}

TEST_CASE("bad filters are refused in the same words by every call") {
  Rungs rungs;
  put_points(rungs);
  const Filter bad = Filter::all_of({match("a..b", true)});
  const std::vector<float> vector(kDimension, 1.0f);
  QueryOptions options;
  options.filter = bad;
  const auto refused = [](const Status& status) {
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.field() == "filter");
  };
  refused(query(rungs, vector, options).status());
  refused(rungs
              .ask_items([&](Collection& items) {
                return items.query_by_id(1, options);
              })
              .status());
  refused(rungs.ask_items([&](Collection& items) { return items.count(bad); })
              .status());
  refused(rungs
              .ask_items([&](Collection& items) {
                return items.scroll({.filter = bad});
              })
              .status());
  refused(rungs
              .ask_items([&](Collection& items) {
                return items.facet("part", {.filter = bad});
              })
              .status());
}

TEST_CASE("a predicate filters in process, and nothing else takes it") {
  Rungs rungs;
  put_points(rungs);
  const Filter third = Filter::all_of({where::predicate(
      [](const PointId& id, const Payload&) { return id.number() % 3 == 0; })});
  for (Rung& rung : rungs.all()) {
    CAPTURE(rung.name);
    if (rung.name.starts_with("engine")) {
      CHECK(rung.items->count(third).value() == 100);
    } else if (rung.name == "client") {
      CHECK(rung.items->count(third).status().field() == "filter");
      CHECK(rung.items->remove(third).status().field() == "filter");
    }
  }
}

TEST_CASE("indexes change no answer, follow every write and live on") {
  Rungs rungs;
  put_points(rungs);
  const auto create = [&](std::string_view key, PayloadIndexType type) {
    return rungs.ask_items([&](Collection& items) {
      return sequence_of(items.create_payload_index(key, type));
    });
  };
  const auto drop = [&](std::string_view key) {
    return rungs.ask_items([&](Collection& items) {
      return sequence_of(items.drop_payload_index(key));
    });
  };
  const auto infos = [&] {
    return rungs.ask_items([](Collection& items) { return items.info(); })
        .value()
        .payload_indexes;
  };
  CHECK(create("part", PayloadIndexType::integer).value() == 2);
  CHECK(create("tags[]", PayloadIndexType::integer).value() == 3);
  CHECK(create("name", PayloadIndexType::text).value() == 4);
  CHECK(create("name", PayloadIndexType::keyword).value() == 5);
  for (int opened = 0; opened < 2; ++opened) {
    CHECK(infos() == std::vector<PayloadIndexInfo>{
                         {"name", PayloadIndexType::keyword, kPoints},
                         {"part", PayloadIndexType::integer, kPoints},
                         {"tags[]", PayloadIndexType::integer, kPoints}});
    rungs.reopen_directory();
  }
  rungs.compare_items([](Collection& items) {
    return sequence_of(items.clear_payload(part_is(2)));
  });
  rungs.compare_items(
      [](Collection& items) { return sequence_of(items.remove(part_is(3))); });
  for (int opened = 0; opened < 2; ++opened) {
    CHECK(infos()[1].point_count == kPoints - 60);
    for (std::int64_t part = 0; part < 5; ++part) {
      const auto count = rungs.ask_items(
          [&](Collection& items) { return items.count(part_is(part)); });
      CHECK(count.value() == (part == 2 || part == 3 ? 0 : 30));
    }
    rungs.reopen_directory();
  }
  CHECK(drop("part").ok());
  CHECK(drop("part").ok());  // None there is no error.
  CHECK(infos().size() == 2);
  CHECK(create("a.", PayloadIndexType::uuid).status().code() ==
        StatusCode::invalid_argument);
  CHECK(drop("").status().code() == StatusCode::invalid_argument);
}

TEST_CASE("there are no more indexes than a collection may have") {
  Rungs rungs;
  put_points(rungs);
  const auto create = [&](const std::string& key) {
    return rungs.ask_items([&](Collection& items) {
      return sequence_of(
          items.create_payload_index(key, PayloadIndexType::keyword));
    });
  };
  for (std::size_t i = 0; i < kMaxPayloadIndexes; ++i) {
    CHECK(create("k" + std::to_string(i)).ok());
  }
  CHECK(create("one more").status().code() == StatusCode::invalid_argument);
  CHECK(create("k3").ok());  // There already.
}

}  // namespace
}  // namespace lamina::test
