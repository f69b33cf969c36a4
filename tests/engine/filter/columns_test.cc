#include <doctest/doctest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/filter/filter_rows.h"
#include "support/random_points.h"

namespace lamina {
namespace {

using namespace where;
using test::FilterRows;
using Ids = std::vector<std::uint64_t>;

std::string numbered(std::uint64_t value) {
  return R"({"n":)" + std::to_string(value) + R"(,"s":"v)" +
         std::to_string(value) + R"(","g":)" + std::to_string(value % 7) + "}";
}

// Checks a range, an equality and a group against the values themselves.
void check_values(const FilterRows& rows,
                  const std::vector<std::uint64_t>& values) {
  Ids small;
  Ids third;
  for (std::uint64_t id = 0; id < values.size(); ++id) {
    if (values[id] < 1000) small.push_back(id);
    if (values[id] % 7 == 3) third.push_back(id);
  }
  CHECK(rows.ids(Filter::all_of({range("n", {.lt = 1000})})) == small);
  CHECK(rows.ids(Filter::all_of({match("g", 3)})) == third);
  for (std::uint64_t id = 0; id < values.size(); id += 97) {
    const std::string text = "v" + std::to_string(values[id]);
    Ids equal;
    for (std::uint64_t other = 0; other < values.size(); ++other) {
      if (values[other] == values[id]) equal.push_back(other);
    }
    CHECK(rows.ids(Filter::all_of({match("s", text)})) == equal);
  }
}

TEST_CASE("columns and indexes stay right through many rewrites of all rows") {
  constexpr std::uint64_t kRows = 3000;
  test::Random random(7);
  FilterRows rows;
  std::vector<std::uint64_t> values(kRows);
  for (const bool with_indexes : {false, true}) {
    if (with_indexes) {
      for (const auto& [key, type] :
           {std::pair{"n", PayloadIndexType::integer},
            std::pair{"s", PayloadIndexType::keyword},
            std::pair{"g", PayloadIndexType::integer}}) {
        REQUIRE(rows.engine().create_index(key, type, rows.rows()).ok());
      }
    }
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t id = 0; id < kRows; ++id) {
        values[id] = random.below(100'000);
        rows.put(id, numbered(values[id]));
      }
      check_values(rows, values);
    }
  }
}

TEST_CASE("an index is used where it helps, and the plan says so") {
  FilterRows rows;
  for (std::uint64_t id = 0; id < 3000; ++id) rows.put(id, numbered(id));
  const Filter few = Filter::all_of({range("n", {.gte = 10, .lt = 20})});
  const Filter most = Filter::all_of({range("n", {.gte = 10})});
  CHECK(rows.plan(Filter{}) == "all");
  CHECK(rows.plan(few) == "column");
  REQUIRE(rows.engine()
              .create_index("n", PayloadIndexType::integer, rows.rows())
              .ok());
  CHECK(rows.plan(few) == "index");
  CHECK(rows.plan(most) == "column");
  CHECK(rows.ids(most).size() == 2990);
  CHECK(rows.plan(Filter::all_of({match("n", "text")})) == "column");
  CHECK(rows.engine().drop_index("n"));
  CHECK_FALSE(rows.engine().drop_index("n"));
  CHECK(rows.plan(few) == "column");
  CHECK(rows.plan(Filter::all_of({has_id({1})})) == "ids");
  CHECK(rows.plan(Filter::all_of({nested("n", few)})) == "payload");
}

TEST_CASE("each type of index answers its conditions") {
  FilterRows rows;
  for (std::uint64_t id = 0; id < 2000; ++id) {
    const std::string digits = std::to_string(id + 1000);
    rows.put(id, R"({"k":["k)" + digits + R"(","all"],"b":)" +
                     (id == 5 ? "true" : "false") + R"(,"t":"2020-01-01T00:)" +
                     digits.substr(2) + R"(:00Z","x":"the word w)" + digits +
                     R"( ends","f":)" + digits + R"(.5})");
  }
  struct Case {
    std::string key;
    PayloadIndexType type;
    Condition condition;
    Ids expected;
  };
  const std::vector<Case> cases = {
      {"k", PayloadIndexType::keyword, match("k", "k1007"), {7}},
      {"k",
       PayloadIndexType::keyword,
       match_any("k", {"k1007", "k1008"}),
       {7, 8}},
      {"k",
       PayloadIndexType::keyword,
       match_prefix("k", "k100"),
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {"k", PayloadIndexType::uuid, match("k", "k1009"), {9}},
      {"b", PayloadIndexType::boolean, match("b", true), {5}},
      {"f", PayloadIndexType::floating, range("f", {.lt = 1002}), {0, 1}},
      {"x", PayloadIndexType::text, match_text("x", "w1234"), {234}},
      {"x",
       PayloadIndexType::text,
       match_text_any("x", "w1234 w1235"),
       {234, 235}},
      {"x", PayloadIndexType::text, match_phrase("x", "absent"), {}}};
  for (const Case& one : cases) {
    REQUIRE(rows.engine().create_index(one.key, one.type, rows.rows()).ok());
    const Filter filter = Filter::all_of({one.condition});
    CHECK(rows.plan(filter) == "index");
    CHECK(rows.ids(filter) == one.expected);
  }
  REQUIRE(rows.engine()
              .create_index("t", PayloadIndexType::datetime, rows.rows())
              .ok());
  const Filter minute = Filter::all_of({datetime_range(
      "t", {.gte = "2020-01-01T00:17:00Z", .lt = "2020-01-01T00:18:00Z"})});
  CHECK(rows.plan(minute) == "index");
  CHECK(rows.ids(minute).size() == 20);
}

TEST_CASE("the list of indexes counts points with a value of the type") {
  FilterRows rows({R"({"a":1})", R"({"a":1.5})", R"({"a":[2,"x"]})",
                   R"({"a":"67e55044-10b1-426f-9247-bb680e5fe0c8"})"});
  const auto points = [&](PayloadIndexType type) {
    REQUIRE(rows.engine().create_index("a", type, rows.rows()).ok());
    const auto indexes = rows.engine().indexes();
    REQUIRE(indexes.size() == 1);
    CHECK(indexes[0].key == "a");
    CHECK(indexes[0].type == type);
    return indexes[0].point_count;
  };
  CHECK(points(PayloadIndexType::integer) == 2);
  CHECK(points(PayloadIndexType::floating) == 3);
  CHECK(points(PayloadIndexType::keyword) == 2);
  CHECK(points(PayloadIndexType::uuid) == 1);
  CHECK(points(PayloadIndexType::boolean) == 0);
  rows.put(9, R"({"a":true})");
  CHECK(rows.engine().indexes()[0].point_count == 1);
  rows.erase(9);
  CHECK(rows.engine().indexes()[0].point_count == 0);
}

TEST_CASE("an index needs a path, and there is a most of them") {
  FilterRows rows({R"({"a":1})"});
  constexpr auto kType = PayloadIndexType::integer;
  const Status bad = rows.engine().create_index("a..b", kType, rows.rows());
  CHECK(bad.code() == StatusCode::invalid_argument);
  for (std::size_t i = 0; i < filter::ColumnCache::kMaxIndexes; ++i) {
    const std::string key = "k" + std::to_string(i);
    REQUIRE(rows.engine().create_index(key, kType, rows.rows()).ok());
  }
  CHECK_FALSE(rows.engine().create_index("more", kType, rows.rows()).ok());
  CHECK(rows.engine().create_index("k0", kType, rows.rows()).ok());
}

TEST_CASE("a column that would be too large is answered from the payloads") {
  FilterRows rows({}, /*max_column_bytes=*/40'000);
  for (std::uint64_t id = 0; id < 2000; ++id) rows.put(id, numbered(id));
  const Filter wide = Filter::all_of({match("s", "v1999")});
  const Filter narrow = Filter::all_of({match("g", 3)});
  CHECK(rows.plan(wide) == "payload");
  CHECK(rows.ids(wide) == Ids{1999});
  CHECK(rows.plan(narrow) == "column");
  for (std::uint64_t id = 200; id < 2000; ++id) rows.erase(id);
  CHECK(rows.plan(wide) == "column");
  CHECK(rows.ids(wide) == Ids{});
}

TEST_CASE("a value that is rewritten again and again takes no more memory") {
  FilterRows rows({}, /*max_column_bytes=*/8u << 20);
  const Filter filter = Filter::all_of({match("s", "none")});
  rows.put(0, R"({"s":"x"})");
  CHECK(rows.plan(filter) == "column");
  // Without dropping the old texts, the column would pass its bound and go.
  for (int i = 0; i < 100; ++i) {
    rows.put(0, R"({"s":")" + std::to_string(i) + std::string(1 << 18, 'x') +
                    R"("})");
  }
  CHECK(rows.plan(filter) == "column");
}

TEST_CASE("filters on ever new paths keep the answers right") {
  FilterRows rows({R"({"p7":1})", R"({"p99":2})"});
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 200; ++i) {
      const std::string key = "p" + std::to_string(i);
      const Ids expected = i == 7 ? Ids{0} : i == 99 ? Ids{1} : Ids{};
      CHECK(rows.ids(Filter::all_of({range(key, {.gte = 1})})) == expected);
    }
    rows.put(2, "{}");
    rows.erase(2);
  }
}

TEST_CASE("many threads may ask at once, for columns there are and are not") {
  FilterRows rows;
  for (std::uint64_t id = 0; id < 500; ++id) rows.put(id, numbered(id));
  std::vector<std::thread> threads;
  std::vector<std::size_t> wrong(8);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const std::string key = i % 3 == 0   ? "missing" + std::to_string(i)
                                : i % 3 == 1 ? "n"
                                             : "g";
        const auto found =
            rows.matching(Filter::all_of({range(key, {.lt = 3})}));
        const std::size_t expected = i % 3 == 0 ? 0 : i % 3 == 1 ? 3 : 216;
        if (!found.ok() || found->rows.count() != expected) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<std::size_t>(8));
}

}  // namespace
}  // namespace lamina
