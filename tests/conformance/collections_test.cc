#include <chrono>
#include <limits>
#include <thread>

#include "lamina/limits.h"
#include "rungs.h"
#include "support/random_points.h"

namespace lamina::test {
namespace {

constexpr CollectionOptions kTwo{
    .dimension = 2, .metric = Metric::dot, .durability = std::nullopt};

Result<std::vector<std::string>> list(Store& store) {
  return store.list_collections();
}

void drop_items(Rungs& rungs) {
  const auto dropped = rungs.ask_store(
      [](Store& store) { return store.drop_collection("items"); });
  CHECK(dropped.value());
}

// No collection of this name can be made, so none is there.
void check_is_no_name(Rungs& rungs, const std::string& name) {
  CAPTURE(name);
  CHECK(rungs.create(name, kTwo).code() == StatusCode::invalid_argument);
  const Status opened = rungs.ask_store(
      [&](Store& store) { return store.open_collection(name).status(); });
  CHECK(opened.code() == StatusCode::not_found);
  const auto dropped = rungs.ask_store(
      [&](Store& store) { return store.drop_collection(name); });
  CHECK_FALSE(dropped.value());
}

TEST_CASE("collections are made, listed in byte order, opened and dropped") {
  Rungs rungs;
  CHECK(rungs.ask_store(list).value().empty());
  for (const char* name : {"b", "a", "B", "ab"}) {
    CHECK(rungs.create(name, kTwo).ok());
  }
  CHECK(rungs.ask_store(list).value() ==
        std::vector<std::string>{"B", "a", "ab", "b"});

  const auto info = rungs.ask_store([](Store& store) -> Result<CollectionInfo> {
    auto opened = store.open_collection("ab");
    if (!opened.ok()) return opened.status();
    return (*opened)->info();
  });
  REQUIRE(info.ok());
  CHECK(info->name == "ab");
  CHECK(info->dimension == 2);
  CHECK(info->metric == Metric::dot);
  CHECK(info->point_count == 0);

  const auto drop = [](Store& store) { return store.drop_collection("a"); };
  CHECK(rungs.ask_store(drop).value());
  CHECK_FALSE(rungs.ask_store(drop).value());
  CHECK(rungs.ask_store(list).value() ==
        std::vector<std::string>{"B", "ab", "b"});
}

TEST_CASE("a collection that is not there is not found") {
  Rungs rungs;
  const Status status = rungs.ask_store(
      [](Store& store) { return store.open_collection("none").status(); });
  CHECK(status.code() == StatusCode::not_found);
}

TEST_CASE("a name that is taken is refused, whatever the options") {
  Rungs rungs;
  CHECK(rungs.create("a", kTwo).ok());
  CHECK(rungs.create("a", kTwo).code() == StatusCode::already_exists);
  CHECK(rungs.create("a", {.dimension = 3}).code() ==
        StatusCode::already_exists);
}

TEST_CASE("odd names work and stay as they are") {
  Rungs rungs;
  const std::vector<std::string> names{
      " ",
      "%2F",
      "+",
      "...",
      "?a=b&c#d",
      "a b",
      "a;b,c:d",
      "aliases",
      "it's",
      "\"quoted\"",
      std::string(255, 'x'),
      "{}",
      "~",
      "\xc3\xbcn\xc3\xaf",         // Two-byte characters.
      "\xe6\xbc\xa2\xe5\xad\x97",  // Three.
      "\xf0\x9f\xa7\xbf",          // Four.
  };
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(rungs.create(name, kTwo).ok());
    const auto found =
        rungs.ask_store([&](Store& store) -> Result<std::string> {
          auto opened = store.open_collection(name);
          if (!opened.ok()) return opened.status();
          auto info = (*opened)->info();
          if (!info.ok()) return info.status();
          return info->name;
        });
    REQUIRE(found.ok());
    CHECK(*found == name);
  }
  CHECK(rungs.ask_store(list).value().size() == names.size());
  for (const std::string& name : names) {
    CAPTURE(name);
    const auto dropped = rungs.ask_store(
        [&](Store& store) { return store.drop_collection(name); });
    REQUIRE(dropped.ok());
    CHECK(*dropped);
  }
}

TEST_CASE("bad names are refused with the same words on every rung") {
  Rungs rungs;
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("/"),
        std::string("a/b"), std::string("a\\b"), std::string("../a"),
        std::string(256, 'x'), std::string("a\nb"), std::string("\x7f"),
        std::string("\0", 1), std::string("a\0b", 3), std::string("\xff"),
        std::string("\xc3"), std::string("\xed\xa0\x80"),
        std::string("\xc0\xaf")}) {
    check_is_no_name(rungs, name);
  }
  CHECK(rungs.ask_store(list).value().empty());
}

TEST_CASE("the dimension has bounds, and the error names the field") {
  Rungs rungs;
  for (const std::size_t dimension :
       {std::size_t{0}, kMaxDimension + 1,
        std::numeric_limits<std::size_t>::max()}) {
    CAPTURE(dimension);
    const Status status = rungs.create("a", {.dimension = dimension});
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.field() == "dimension");
  }
  CHECK(rungs.create("a", {.dimension = 1}).ok());
  CHECK(rungs.create("b", {.dimension = kMaxDimension}).ok());
}

TEST_CASE("info tells dimension, metric and how many points there are") {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    Rungs rungs;
    rungs.create_items({.dimension = 3, .metric = metric});
    const std::vector<float> vector{1.0f, 2.0f, 3.0f};
    rungs.compare_items([&](Collection& items) {
      return sequence_of(
          items.upsert({.id = 1, .vector = vector, .payload = {}}));
    });
    const auto info =
        rungs.ask_items([](Collection& items) { return items.info(); });
    REQUIRE(info.ok());
    CHECK(info->dimension == 3);
    CHECK(info->metric == metric);
    CHECK(info->point_count == 1);
  }
}

TEST_CASE("a handle to a dropped collection says that it is gone") {
  Rungs rungs;
  rungs.create_items(kTwo);
  const std::vector<float> vector{1.0f, 2.0f};
  const std::vector<VectorView> batch{vector};
  const std::vector<PointId> ids{1};
  drop_items(rungs);
  const std::vector<Status> statuses{
      rungs.ask_items([&](Collection& items) {
        return items.upsert({.id = 1, .vector = vector, .payload = {}})
            .status();
      }),
      rungs.ask_items(
          [&](Collection& items) { return items.remove(1).status(); }),
      rungs.ask_items([&](Collection& items) { return items.get(1).status(); }),
      rungs.ask_items(
          [&](Collection& items) { return items.get(ids).status(); }),
      rungs.ask_items(
          [&](Collection& items) { return items.query(vector).status(); }),
      rungs.ask_items(
          [&](Collection& items) { return items.query_by_id(1).status(); }),
      rungs.ask_items(
          [&](Collection& items) { return items.query_batch(batch).status(); }),
      rungs.ask_items(
          [&](Collection& items) { return items.scroll().status(); }),
      rungs.ask_items(
          [&](Collection& items) { return items.count().status(); }),
      rungs.ask_items([&](Collection& items) { return items.info().status(); }),
      rungs.ask_items([&](Collection& items) { return items.flush(); }),
  };
  for (const Status& status : statuses) {
    CHECK(status.code() == StatusCode::not_found);
  }
}

// A graph of few points, so that it is there soon.
constexpr CollectionOptions kWithGraph{
    .dimension = 16,
    .hnsw = HnswOptions{.m = 8, .ef_construct = 80, .full_scan_threshold = 51}};

void wait_until_linked(const Collection& items) {
  for (int i = 0; i < 6'000; ++i) {
    const Result<CollectionInfo> info = items.info();
    REQUIRE(info.ok());
    if (info->linked_count == info->point_count) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL("the graph was not built");
}

TEST_CASE("a graph is made, shown and steered alike everywhere") {
  Rungs rungs;
  rungs.create_items(kWithGraph);
  const RandomPoints points(2'000, 16, 7);
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.upsert(points.points(), {}));
  });
  for (Rung& rung : rungs.all()) wait_until_linked(*rung.items);
  const auto info =
      rungs.ask_items([](Collection& items) { return items.info(); });
  CHECK(info->hnsw == kWithGraph.hnsw);
  CHECK(info->linked_count == 2'000);
  Random random(8);
  std::size_t missed = 0;
  for (int i = 0; i < 50; ++i) {
    const std::vector<float> query = random.vector(16);
    const auto ask = [&](const QueryOptions& options) {
      return rungs
          .ask_items(
              [&](Collection& items) { return items.query(query, options); })
          .value();
    };
    const auto exact = ask({.exact = true});
    if (ask({.hnsw_ef = 1}) != exact) ++missed;
    if (ask({.hnsw_ef = 4'096}) != exact) missed += 1'000;
  }
  // A narrow walk misses something, so that the two were told apart.
  CHECK(missed > 0);
  CHECK(missed < 1'000);
}

TEST_CASE("bad graphs and bad widths are refused in the same words") {
  Rungs rungs;
  const auto refused = [&](std::uint32_t m, std::uint32_t ef_construct,
                           Metric metric) {
    const Status status = rungs.create(
        "bad", {.dimension = 3,
                .metric = metric,
                .hnsw = HnswOptions{.m = m, .ef_construct = ef_construct}});
    CHECK(status.code() == StatusCode::invalid_argument);
    return status.field();
  };
  CHECK(refused(0, 100, Metric::dot) == "hnsw.m");
  CHECK(refused(129, 100, Metric::dot) == "hnsw.m");
  CHECK(refused(16, 3, Metric::dot) == "hnsw.ef_construct");
  CHECK(refused(16, 100, Metric::manhattan) == "hnsw");
  rungs.create_items(kTwo);
  const std::vector<float> vector{1.0f, 2.0f};
  for (const std::uint32_t ef : {0u, 4'097u}) {
    const auto hits = rungs.ask_items([&](Collection& items) {
      return items.query(vector, {.hnsw_ef = ef});
    });
    CHECK(hits.status().field() == "hnsw_ef");
  }
}

TEST_CASE("a new collection of an old name is empty") {
  Rungs rungs;
  rungs.create_items(kTwo);
  const std::vector<float> vector{1.0f, 2.0f};
  rungs.compare_items([&](Collection& items) {
    return sequence_of(
        items.upsert({.id = 1, .vector = vector, .payload = {}}));
  });
  drop_items(rungs);
  rungs.create_items({.dimension = 3});
  CHECK(rungs.ask_items([](Collection& items) { return items.count(); })
            .value() == 0);
  CHECK(rungs.ask_items([](Collection& items) { return items.info(); })
            .value()
            .dimension == 3);
}

}  // namespace
}  // namespace lamina::test
