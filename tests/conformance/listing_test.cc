#include <cstdint>
#include <string>

#include "rungs.h"

// Scrolls by filter and in an order, and facets, on every rung.

namespace lamina::test {
namespace {

using where::match;
using Direction = OrderBy::Direction;

void put(Rungs& rungs, const PointId& id, const std::string& payload) {
  const std::vector<float> vector{1.0f};
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.upsert(
        {.id = id, .vector = vector, .payload = payload_of(payload)}));
  });
}

// What orders and facets have to tell apart.
void put_mixed(Rungs& rungs) {
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  const char* payloads[] = {
      R"({"v":3,"s":"b"})",
      R"({"v":1.5,"s":"a"})",
      R"({"v":9007199254740993,"s":["a","b","a"]})",
      R"({"v":9007199254740992.0,"s":true})",
      R"({"v":[7,-1,"x",null],"s":7})",
      R"({"v":null,"s":null})",
      R"({"s":{"a":1}})",
      R"({"v":"2024-05-01T12:00:00Z","s":7.5})",
      R"({"v":"2024-05-01T12:00:00+02:00","s":"7"})",
      R"({"v":"no time","s":[7,true,"b"]})",
      R"({"v":3.0,"s":false})",
      R"({"v":-1e300})",
  };
  std::uint64_t id = 1;
  for (const char* payload : payloads) put(rungs, id++, payload);
}

Result<ScrollPage> scroll(Rungs& rungs, const ScrollOptions& options) {
  return rungs.ask_items(
      [&](Collection& items) { return items.scroll(options); });
}

std::vector<std::uint64_t> ids_of(const Result<ScrollPage>& page) {
  std::vector<std::uint64_t> ids;
  for (const Record& record : page.value().points) {
    ids.push_back(record.id.number());
  }
  return ids;
}

std::vector<std::uint64_t> ordered(Rungs& rungs, const OrderBy& order,
                                   std::uint64_t limit = 100,
                                   const Filter& filter = {}) {
  ScrollOptions options;
  options.limit = limit;
  options.filter = filter;
  options.order_by = order;
  return ids_of(scroll(rungs, options));
}

using Ids = std::vector<std::uint64_t>;

TEST_CASE("a scroll by filter pages through what matches") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  for (std::uint64_t i = 0; i < 40; ++i) {
    // Not in id order, so that rows and ids differ.
    const std::uint64_t id = i * 7 % 40;
    put(rungs, id, "{\"m\":" + std::to_string(id % 3) + "}");
  }
  put(rungs, PointId::from_name("x"), R"({"m":1})");
  ScrollOptions options;
  options.limit = 4;
  options.filter = Filter::all_of({match("m", std::int64_t{1})});
  std::vector<PointId> seen;
  for (int pages = 1;; ++pages) {
    const Result<ScrollPage> page = scroll(rungs, options);
    REQUIRE(page.ok());
    for (const Record& record : page->points) seen.push_back(record.id);
    if (!page->next_offset) {
      CHECK(pages == 4);
      break;
    }
    CHECK(page->points.size() == 4);
    options.offset = page->next_offset;
  }
  std::vector<PointId> expected;
  for (std::uint64_t id = 1; id < 40; id += 3) expected.emplace_back(id);
  expected.push_back(PointId::from_name("x"));
  CHECK(seen == expected);
}

TEST_CASE("an order is by exact value, numbers before times, then by id") {
  Rungs rungs;
  put_mixed(rungs);
  // 4 is 2^53 and 3 is one more, which a double could not tell apart.
  const Ids ascending{12, 5, 2, 1, 11, 5, 4, 3, 9, 8};
  CHECK(ordered(rungs, {.key = "v"}) == ascending);
  CHECK(ordered(rungs, {.key = "v", .direction = Direction::descending}) ==
        Ids{8, 9, 3, 4, 5, 1, 11, 2, 5, 12});
  CHECK(ordered(rungs, {.key = "v"}, 3) == Ids{12, 5, 2});
  CHECK(ordered(rungs, {.key = "v[]"}) == Ids{5, 5});
  CHECK(ordered(rungs, {.key = "none"}).empty());
  CHECK(ordered(rungs, {.key = "v"}, 100,
                Filter::none_of({where::has_id({1, 3, 5})})) ==
        Ids{12, 2, 11, 4, 9, 8});
}

TEST_CASE("a page in an order starts where it is told") {
  Rungs rungs;
  put_mixed(rungs);
  OrderBy order{.key = "v"};
  order.start_from = std::int64_t{3};
  CHECK(ordered(rungs, order) == Ids{1, 11, 5, 4, 3});
  order.start_from = 1.5;
  CHECK(ordered(rungs, order, 2) == Ids{2, 1});
  order.start_from = std::int64_t{9007199254740993};
  CHECK(ordered(rungs, order) == Ids{3});
  order.start_from = "2024-05-01T11:00:00Z";
  CHECK(ordered(rungs, order) == Ids{8});
  order.direction = Direction::descending;
  CHECK(ordered(rungs, order) == Ids{9});
  order.start_from = std::int64_t{2};
  CHECK(ordered(rungs, order) == Ids{2, 5, 12});
}

TEST_CASE("records of an order say what they are ordered by") {
  Rungs rungs;
  put_mixed(rungs);
  ScrollOptions options;
  options.order_by = OrderBy{.key = "v"};
  options.with_vector = true;
  const auto page = scroll(rungs, options);
  REQUIRE(page.ok());
  CHECK_FALSE(page->next_offset.has_value());
  REQUIRE(page->points.size() == 10);
  CHECK(page->points[0].order_value == where::Number(-1e300));
  CHECK(page->points[1].order_value == where::Number(std::int64_t{-1}));
  CHECK(page->points[6].order_value == where::Number(9007199254740992.0));
  CHECK(page->points[7].order_value == where::Number(9007199254740993));
  CHECK(page->points[9].order_value ==
        where::Number(std::int64_t{1'714'564'800'000'000}));
  CHECK(page->points[9].vector == std::vector<float>{1.0f});
  CHECK(page->points[9].payload.has_value());
}

TEST_CASE("an order that cannot be is refused in the same words") {
  Rungs rungs;
  put_mixed(rungs);
  const auto refused = [&](const ScrollOptions& options) {
    CHECK(scroll(rungs, options).status().code() ==
          StatusCode::invalid_argument);
  };
  ScrollOptions options;
  options.order_by = OrderBy{.key = "a."};
  refused(options);
  options.order_by = OrderBy{.key = ""};
  refused(options);
  options.order_by = OrderBy{.key = "v"};
  options.order_by->start_from = "yesterday";
  refused(options);
  options.order_by->start_from = std::numeric_limits<double>::infinity();
  refused(options);
  options.order_by->start_from.reset();
  options.offset = PointId(1);
  refused(options);
}

TEST_CASE("facets count points, most first, equal counts by value") {
  Rungs rungs;
  put_mixed(rungs);
  const auto facet = [&](std::string_view key, const FacetOptions& options) {
    return rungs
        .ask_items([&](Collection& items) { return items.facet(key, options); })
        .value();
  };
  const std::vector<FacetHit> all{
      {std::string("b"), 3}, {true, 2},  {std::int64_t{7}, 2},
      {std::string("a"), 2}, {false, 1}, {std::string("7"), 1}};
  CHECK(facet("s", {}) == all);
  CHECK(facet("s", {.limit = 3}) ==
        std::vector<FacetHit>(all.begin(), all.begin() + 3));
  CHECK(facet("s", {.filter = Filter::all_of({match("s", "a")})}) ==
        std::vector<FacetHit>{{std::string("a"), 2}, {std::string("b"), 1}});
  CHECK(facet("s.a", {}) == std::vector<FacetHit>{{std::int64_t{1}, 1}});
  CHECK(facet("none", {}).empty());
}

TEST_CASE("facets that cannot be are refused in the same words") {
  Rungs rungs;
  put_mixed(rungs);
  const auto status = [&](std::string_view key, const FacetOptions& options) {
    return rungs
        .ask_items([&](Collection& items) { return items.facet(key, options); })
        .status();
  };
  CHECK(status("a.", {}).code() == StatusCode::invalid_argument);
  CHECK(status("s", {.limit = 0}).field() == "limit");
}

}  // namespace
}  // namespace lamina::test
