#include <algorithm>
#include <limits>

#include "lamina/limits.h"
#include "rungs.h"
#include "support/random_points.h"

namespace lamina::test {
namespace {

constexpr std::uint64_t kMaxId = std::numeric_limits<std::uint64_t>::max();
using Floats = std::vector<float>;

Result<std::uint64_t> upsert(Rungs& rungs, std::span<const Point> points) {
  return rungs.ask_items(
      [&](Collection& items) { return sequence_of(items.upsert(points)); });
}

Result<std::uint64_t> upsert(Rungs& rungs, const PointId& id,
                             const Floats& vector,
                             const Payload& payload = {}) {
  const Point point{.id = id, .vector = vector, .payload = payload};
  return upsert(rungs, std::span(&point, 1));
}

void put(Rungs& rungs, const PointId& id, const Floats& vector,
         const Payload& payload = {}) {
  REQUIRE(upsert(rungs, id, vector, payload).ok());
}

Result<std::uint64_t> remove(Rungs& rungs, const std::vector<PointId>& ids) {
  return rungs.ask_items(
      [&](Collection& items) { return sequence_of(items.remove(ids)); });
}

Result<Record> get(Rungs& rungs, const PointId& id,
                   const GetOptions& options = {}) {
  return rungs.ask_items(
      [&](Collection& items) { return items.get(id, options); });
}

Result<std::vector<Record>> get(Rungs& rungs, const std::vector<PointId>& ids,
                                const GetOptions& options = {}) {
  return rungs.ask_items(
      [&](Collection& items) { return items.get(ids, options); });
}

std::uint64_t count(Rungs& rungs) {
  return rungs.ask_items([](Collection& items) { return items.count(); })
      .value();
}

TEST_CASE("a point comes back as it was put in") {
  Rungs rungs;
  rungs.create_items({.dimension = 3, .metric = Metric::cosine});
  const Floats vector{0.1f, -2.5e-3f, 1.0f / 3.0f};
  CHECK(upsert(rungs, 7, vector, payload_of("{\"a\":1}")).value() == 1);
  const Result<Record> record = get(rungs, 7);
  REQUIRE(record.ok());
  CHECK(record->id == PointId(7));
  CHECK(record->vector == vector);
  CHECK(record->payload->json() == "{\"a\":1}");
}

TEST_CASE("upsert replaces vector and payload") {
  Rungs rungs;
  rungs.create_items({.dimension = 2});
  put(rungs, 1, {1.0f, 2.0f}, payload_of("{\"a\":1,\"b\":2}"));
  put(rungs, 1, {3.0f, 4.0f}, payload_of("{\"c\":3}"));
  CHECK(get(rungs, 1).value().payload->json() == "{\"c\":3}");
  CHECK(get(rungs, 1).value().vector == Floats{3.0f, 4.0f});
  put(rungs, 1, {5.0f, 6.0f});
  CHECK(get(rungs, 1).value().payload->json() == "{}");
  CHECK(count(rungs) == 1);
}

TEST_CASE("of two points with one id in a batch the later counts") {
  Rungs rungs;
  rungs.create_items({.dimension = 2});
  const Floats first{1.0f, 0.0f};
  const Floats second{0.0f, 1.0f};
  const std::vector<Point> points{
      {.id = 5, .vector = first, .payload = payload_of("{\"n\":1}")},
      {.id = 6, .vector = first, .payload = {}},
      {.id = 5, .vector = second, .payload = payload_of("{\"n\":2}")}};
  CHECK(upsert(rungs, points).ok());
  CHECK(count(rungs) == 2);
  CHECK(get(rungs, 5).value().vector == second);
  CHECK(get(rungs, 5).value().payload->json() == "{\"n\":2}");
}

TEST_CASE("empty batches are refused and count for nothing") {
  Rungs rungs;
  rungs.create_items({.dimension = 2});
  const StatusCode bad = StatusCode::invalid_argument;
  CHECK(upsert(rungs, std::span<const Point>()).status().code() == bad);
  CHECK(remove(rungs, {}).status().code() == bad);
  CHECK(get(rungs, std::vector<PointId>()).status().code() == bad);
  CHECK(upsert(rungs, 1, {1.0f, 2.0f}).value() == 1);
}

TEST_CASE("numbers and UUIDs are ids, to the last digit") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  const std::vector<PointId> ids{
      0,
      1,
      (std::uint64_t{1} << 53) + 1,  // No double has this value.
      std::uint64_t{1} << 63,
      kMaxId,
      PointId::parse_uuid("00000000-0000-0000-0000-000000000000").value(),
      PointId::parse_uuid("98A9A4B1-4EF2-46FB-8315-A97D874FE1D7").value(),
      PointId::parse_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff").value(),
      PointId::from_name("k\xc3\xa4se"),
  };
  float value = 1.0f;
  for (const PointId& id : ids) {
    CHECK(upsert(rungs, id, {value++}).ok());
  }
  value = 1.0f;
  for (const PointId& id : ids) {
    const Result<Record> record = get(rungs, id);
    REQUIRE(record.ok());
    CHECK(record->id == id);
    CHECK(record->vector == Floats{value++});
  }
  const auto hits = rungs.ask_items([](Collection& items) {
    return items.query(Floats{1.0f}, {.top_k = 100});
  });
  REQUIRE(hits.ok());
  CHECK(hits->size() == ids.size());
  CHECK(hits->front().id == ids.back());
  CHECK(remove(rungs, ids).ok());
  CHECK(count(rungs) == 0);
}

TEST_CASE("get returns the points that are there, in the order asked") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  for (const std::uint64_t id : {1, 2, 3}) {
    put(rungs, id, {static_cast<float>(id)});
  }
  const auto records = get(rungs, std::vector<PointId>{3, 9, 1, 3});
  REQUIRE(records.ok());
  std::vector<PointId> ids;
  for (const Record& record : *records) ids.push_back(record.id);
  CHECK(ids == std::vector<PointId>{3, 1, 3});
}

TEST_CASE("get leaves out what was not asked for") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  put(rungs, 1, {2.0f}, payload_of("{\"a\":1}"));
  for (const bool with_payload : {true, false}) {
    for (const bool with_vector : {true, false}) {
      const GetOptions options{.with_payload = with_payload,
                               .with_vector = with_vector};
      const Result<Record> one = get(rungs, 1, options);
      REQUIRE(one.ok());
      CHECK(one->payload.has_value() == with_payload);
      CHECK(one->vector.has_value() == with_vector);
      const auto many = get(rungs, std::vector<PointId>{1}, options);
      REQUIRE(many.ok());
      CHECK(many->front() == *one);
    }
  }
}

TEST_CASE("a point that is not there is not found, and named") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  for (const PointId& id :
       {PointId(5), PointId(kMaxId), PointId::from_name("x")}) {
    const Status status = get(rungs, id).status();
    CHECK(status.code() == StatusCode::not_found);
    CHECK(status.message().find(id.to_string()) != std::string::npos);
  }
}

TEST_CASE("remove takes what is there and passes over the rest") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  put(rungs, 1, {1.0f});
  put(rungs, 2, {2.0f});
  CHECK(remove(rungs, {1, 99, 1}).value() == 3);
  CHECK(count(rungs) == 1);
  CHECK(get(rungs, 1).status().code() == StatusCode::not_found);
  CHECK(get(rungs, 2).ok());
  CHECK(remove(rungs, {99}).ok());
  CHECK(upsert(rungs, 1, {5.0f}).ok());
  CHECK(get(rungs, 1).value().vector == Floats{5.0f});
}

TEST_CASE("a batch with one bad vector changes nothing, and names the point") {
  Rungs rungs;
  rungs.create_items({.dimension = 2, .metric = Metric::cosine});
  const Floats good{1.0f, 2.0f};
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Floats& bad :
       {Floats{}, Floats{1.0f}, Floats{1.0f, 2.0f, 3.0f},
        Floats{1.0f, infinity}, Floats{-infinity, 1.0f}, Floats{nan, 1.0f},
        Floats{0.0f, 0.0f}, Floats{0.0f, -0.0f}}) {
    const std::vector<Point> points{{.id = 1, .vector = good, .payload = {}},
                                    {.id = 2, .vector = bad, .payload = {}},
                                    {.id = 3, .vector = good, .payload = {}}};
    const Status status = upsert(rungs, points).status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.message().find("points[1]") != std::string::npos);
    CHECK(count(rungs) == 0);
  }
  CHECK(upsert(rungs, 1, good).value() == 1);  // No number was used up.
}

TEST_CASE("a zero vector is refused under cosine only") {
  for (const Metric metric : {Metric::dot, Metric::euclid}) {
    Rungs rungs;
    rungs.create_items({.dimension = 2, .metric = metric});
    CHECK(upsert(rungs, 1, {0.0f, 0.0f}).ok());
    CHECK(rungs
              .ask_items([](Collection& items) {
                return items.query(Floats{0.0f, 0.0f});
              })
              .ok());
  }
}

TEST_CASE("every finite float32 keeps its bits") {
  Rungs rungs;
  using Limits = std::numeric_limits<float>;
  const Floats vector{-0.0f,
                      Limits::denorm_min(),
                      -Limits::denorm_min(),
                      Limits::min() / 3,
                      Limits::min(),
                      Limits::max(),
                      Limits::lowest(),
                      1.0f,
                      16777217.0f,
                      0.1f,
                      1.0e-7f,
                      123456.789f};
  rungs.create_items({.dimension = vector.size(), .metric = Metric::dot});
  CHECK(upsert(rungs, 1, vector).ok());
  CHECK(same_bits(*get(rungs, 1).value().vector, vector));
}

TEST_CASE("payloads keep every digit and character") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  for (const char* json :
       {"{}", "{\"a\":1.0}", "{\"a\":9007199254740993}",
        "{\"a\":18446744073709551615}", "{\"a\":-9223372036854775808}",
        "{\"a\":1e300}", "{\"a\":0.10000000000000000000000000001}",
        "{\"a\":-0.0,\"b\":-0,\"c\":1E+2}",
        "{\"a\":null,\"b\":true,\"c\":[1,\"x\",{}],\"d\":{\"e\":[]}}",
        "{\"\":\"\"}", "{\"\xc3\xbc\":\"\xf0\x9f\xa7\xbf\"}",
        "{\"a\":\"\\\"\\\\\\n\\u0000\"}", "{\"b\":1,\"a\":2}"}) {
    CAPTURE(json);
    const Payload payload = payload_of(json);
    CHECK(upsert(rungs, 1, {1.0f}, payload).ok());
    CHECK(get(rungs, 1).value().payload->json() == payload.json());
  }
}

TEST_CASE("versions count the writes of a collection, from 1") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  CHECK(upsert(rungs, 1, {1.0f}).value() == 1);
  CHECK(upsert(rungs, 2, {2.0f}).value() == 2);
  CHECK(remove(rungs, {1}).value() == 3);
  CHECK(upsert(rungs, 2, {3.0f}).value() == 4);
  CHECK(upsert(rungs, 3, {4.0f}).value() == 5);
  const auto hits = rungs.ask_items(
      [](Collection& items) { return items.query(Floats{1.0f}); });
  REQUIRE(hits.ok());
  REQUIRE(hits->size() == 2);
  CHECK((*hits)[0].version == 5);
  CHECK((*hits)[1].version == 4);
}

TEST_CASE("a scroll sees every point once, in id order") {
  Rungs rungs;
  rungs.create_items({.dimension = 2});
  const RandomPoints points(23, 2, 1, 100);
  CHECK(upsert(rungs, points.points()).ok());
  const PointId uuid = PointId::from_name("last");
  CHECK(upsert(rungs, uuid, {1.0f, 1.0f}).ok());

  std::vector<PointId> seen;
  ScrollOptions options{.limit = 5, .with_vector = true};
  do {
    const auto page = rungs.ask_items(
        [&](Collection& items) { return items.scroll(options); });
    REQUIRE(page.ok());
    for (const Record& record : page->points) seen.push_back(record.id);
    options.offset = page->next_offset;
  } while (options.offset.has_value());
  CHECK(seen.size() == 24);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(seen.back() == uuid);
}

TEST_CASE("a scroll may start anywhere, and its limit has bounds") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  for (const std::uint64_t id : {10, 20, 30}) {
    put(rungs, id, {1.0f}, payload_of("{\"a\":1}"));
  }
  const auto scroll = [&](const ScrollOptions& options) {
    return rungs.ask_items(
        [&](Collection& items) { return items.scroll(options); });
  };
  CHECK(scroll({.offset = 15, .limit = 1}).value().points[0].id == PointId(20));
  CHECK(scroll({.offset = 15, .limit = 1}).value().next_offset == PointId(30));
  CHECK(scroll({.offset = 31}).value().points.empty());
  CHECK(scroll({.limit = kMaxCount}).value().points.size() == 3);
  CHECK(scroll({.limit = 3}).value().next_offset == std::nullopt);
  CHECK_FALSE(
      scroll({.with_payload = false}).value().points[0].payload.has_value());
  for (const std::uint64_t limit : {std::uint64_t{0}, kMaxCount + 1, kMaxId}) {
    CAPTURE(limit);
    const Status status = scroll({.limit = limit}).status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.field() == "limit");
  }
}

TEST_CASE("flush answers on every rung") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  CHECK(rungs.ask_items([](Collection& items) { return items.flush(); }).ok());
  put(rungs, 1, {1.0f});
  CHECK(rungs.ask_items([](Collection& items) { return items.flush(); }).ok());
}

TEST_CASE("a write that asks for fsync is durable, wherever there is a disk") {
  Rungs rungs;
  rungs.create_items({.dimension = 1, .metric = Metric::dot});
  const Floats vector{1.0f};
  const Point point{.id = 1, .vector = vector, .payload = {}};
  for (Rung& rung : rungs.all()) {
    CAPTURE(rung.name);
    const bool has_disk = rung.name != "engine in memory";
    const WriteOptions fsync{.durability = Durability::fsync};
    const auto written = rung.items->upsert(point, fsync);
    REQUIRE(written.ok());
    CHECK(written->durable == has_disk);
    const auto removed = rung.items->remove(1, fsync);
    REQUIRE(removed.ok());
    CHECK(removed->durable == has_disk);
    const auto relaxed =
        rung.items->upsert(point, {.durability = Durability::os});
    REQUIRE(relaxed.ok());
    CHECK_FALSE(relaxed->durable);
  }
}

}  // namespace
}  // namespace lamina::test
