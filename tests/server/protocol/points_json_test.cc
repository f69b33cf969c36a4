#include "protocol/points_json.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "lamina/limits.h"

namespace lamina::protocol {
namespace {

const PayloadSelector kAll = {.enabled = true, .include = {}, .exclude = {}};

Payload payload(std::string_view text) {
  return Payload::from_json(text).value();
}

PointId uuid() {
  return PointId::parse_uuid("98a9a4b1-4ef2-46fb-8315-a97d874fe1d7").value();
}

std::vector<PointId> difficult_ids() {
  return {0,
          1,
          9007199254740993u,
          std::numeric_limits<std::uint64_t>::max(),
          uuid(),
          PointId::from_name("x")};
}

std::vector<float> difficult_floats() {
  using Limits = std::numeric_limits<float>;
  return {0.0f,
          -0.0f,
          Limits::denorm_min(),
          Limits::min(),
          -Limits::denorm_min(),
          Limits::max(),
          Limits::lowest(),
          0.1f,
          1.0f,
          16777216.0f,
          1e-40f,
          -12345678848000.0f};
}

bool same_bits(VectorView a, VectorView b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) {
                      return std::bit_cast<std::uint32_t>(x) ==
                             std::bit_cast<std::uint32_t>(y);
                    });
}

void check_upsert_round_trip(std::span<const Point> points) {
  const Result<PointBatch> decoded = decode_upsert(encode_upsert(points));
  REQUIRE(decoded.ok());
  REQUIRE(decoded->points().size() == points.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = decoded->points()[i];
    wrong += point.id != points[i].id;
    wrong += !(point.payload == points[i].payload);
    wrong += !same_bits(point.vector, points[i].vector);
  }
  CHECK(wrong == 0);
}

std::string upsert_error(std::string_view body) {
  return decode_upsert(body).status().message();
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST_CASE("points of every kind survive an upsert") {
  const std::vector<float> vector = difficult_floats();
  std::vector<Point> points;
  for (const PointId& id : difficult_ids()) points.push_back({id, vector, {}});
  for (const char* text :
       {"{}", R"({"a":1.0,"b":0.1,"c":9007199254740993,"d":5e-324,"e":null})",
        R"({"é😀":"\u00e9\ud83d\ude00 \" \\ \n","n":{"l":[1,[2,{"x":[]}]]}})"}) {
    points.push_back({7, vector, payload(text)});
  }
  points.push_back({8, {}, {}});
  check_upsert_round_trip(points);
  check_upsert_round_trip({});
}

TEST_CASE("100,000 random float bit patterns survive an upsert") {
  std::mt19937 random(3);
  std::vector<float> values;
  while (values.size() < 100'000) {
    const float value =
        std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) values.push_back(value);
  }
  std::vector<Point> points;
  constexpr std::size_t kDimension = 400;
  for (std::size_t i = 0; i < values.size(); i += kDimension) {
    points.push_back({i, VectorView(values).subspan(i, kDimension), {}});
  }
  check_upsert_round_trip(points);
}

TEST_CASE("an upsert may come as columns") {
  const Result<PointBatch> batch = decode_upsert(
      R"({"batch":{"ids":[1,"98a9a4b1-4ef2-46fb-8315-a97d874fe1d7",3],)"
      R"("vectors":[[1,2],[3,4],[5,6]],"payloads":[{"a": 1},null,{}]}})");
  REQUIRE(batch.ok());
  REQUIRE(batch->points().size() == 3);
  CHECK(batch->points()[1].id == uuid());
  CHECK(batch->points()[2].vector[0] == 5.0f);
  CHECK(batch->points()[0].payload.json() == R"({"a":1})");
  CHECK(batch->points()[1].payload.empty());

  const Result<PointBatch> bare =
      decode_upsert(R"({"batch":{"ids":[1],"vectors":[[1]]}})");
  REQUIRE(bare.ok());
  CHECK(bare->points()[0].payload.empty());
}

TEST_CASE("columns of unequal length are refused by name") {
  const auto field_of = [](std::string_view body) {
    return decode_upsert(body).status().field();
  };
  CHECK(field_of(R"({"batch":{"ids":[1,2],"vectors":[[1]]}})") ==
        "batch.vectors");
  CHECK(field_of(R"({"batch":{"ids":[1,2],"vectors":[1]}})") ==
        "batch.vectors");
  CHECK(field_of(
            R"({"batch":{"ids":[1],"vectors":[[1]],"payloads":[null,{}]}})") ==
        "batch.payloads");
}

TEST_CASE("a batch may be moved with its views") {
  Result<PointBatch> decoded =
      decode_upsert(R"({"points":[{"id":1,"vector":[1.5,2.5]}]})");
  REQUIRE(decoded.ok());
  const PointBatch moved = *std::move(decoded);
  CHECK(moved.points()[0].vector[1] == 2.5f);
}

TEST_CASE("an error in a point names the place") {
  CHECK(upsert_error(R"({"points":[{"id":1,"vector":[1]},{"id":-1,)"
                     R"("vector":[1]}]})") ==
        "points[1].id: value -1 is not a valid point ID, valid values are "
        "either an unsigned integer or a UUID");
  CHECK(upsert_error(R"({"points":[{"id":1,"vector":[1,1e39]}]})") ==
        "points[0].vector[1]: value 1e39 is out of range of a 32-bit float");
  CHECK(upsert_error(R"({"points":[{"id":1,"vector":[1,"2"]}]})") ==
        "points[0].vector[1]: expected a number, got a string");
  CHECK(upsert_error(R"({"points":[{"vector":[1]}]})") ==
        "points[0]: missing field `id`");
  CHECK(upsert_error(R"({"points":[{"id":1}]})") ==
        "points[0]: missing field `vector`");
  CHECK(upsert_error(R"({"points":[{"id":1,"vector":[1],"payloads":{}}]})") ==
        "points[0]: unknown field `payloads`");
  CHECK(upsert_error(R"({"points":[{"id":1,"vector":[1],"payload":[]}]})") ==
        "points[0].payload: expected an object, got an array");
  CHECK(upsert_error(R"({"batch":{"ids":[1,null],"vectors":[]}})")
            .starts_with("batch.ids[1]: value null is not a valid point ID"));
}

TEST_CASE(
    "vectors that are not one dense vector are refused as what they are") {
  const auto error_of = [](const std::string& vector) {
    return upsert_error(R"({"points":[{"id":1,"vector":)" + vector + "}]}");
  };
  CHECK(error_of(R"({"text":[1,2]})").find("named vectors") !=
        std::string::npos);
  CHECK(error_of("{}").find("named vectors") != std::string::npos);
  CHECK(error_of("[[1,2],[3,4]]").find("multi vectors") != std::string::npos);
  CHECK(error_of(R"({"indices":[1],"values":[2]})").find("sparse vectors") !=
        std::string::npos);
  CHECK(error_of("\"AACAPw=\"") ==
        "points[0].vector: base64 of 7 digits, expected a multiple of 4");
  CHECK(error_of("\"AACAP\\u0000==\"") == "points[0].vector: not base64");
  CHECK(error_of("\"AACA\"") ==
        "points[0].vector: base64 of 3 bytes, expected 4 for each value");
}

TEST_CASE("an upsert that means something else is refused") {
  CHECK(upsert_error("{}") == "expected either `points` or `batch`");
  CHECK(upsert_error(R"({"points":[],"batch":{"ids":[],"vectors":[]}})") ==
        "expected either `points` or `batch`");
  CHECK(upsert_error(R"({"points":{}})") ==
        "points: expected an array, got an object");
  CHECK(upsert_error(R"({"points":[],"update_mode":"insert"})")
            .find("update_mode") == 0);
  CHECK(upsert_error(R"({"points":[],"update_filter":{"musty":[]}})")
            .find("update_filter") == 0);
  CHECK(upsert_error(R"({"points":[],"point":[]})") == "unknown field `point`");
  CHECK(decode_upsert(R"({"points":[],"update_mode":"upsert",)"
                      R"("update_filter":null,"shard_key":"a"})")
            .ok());
}

TEST_CASE("a payload may be as deep as the engine takes it, and no deeper") {
  const auto nested = [](std::size_t levels) {
    return repeated("{\"a\":", levels) + "1" + repeated("}", levels);
  };
  const std::vector<float> vector = {1.0f};
  const Point deepest = {1, vector, payload(nested(kMaxJsonDepth))};
  check_upsert_round_trip(std::span(&deepest, 1));
  CHECK(upsert_error(R"({"points":[{"id":1,"vector":[1],"payload":)" +
                     nested(kMaxJsonDepth + 1) + "}]}") ==
        "points[0].payload: nested deeper than 64 levels");

  const Record record = {1, vector, payload(nested(kMaxJsonDepth))};
  const auto decoded = decode_record_reply(encode_record_reply(record, 0.0));
  REQUIRE(decoded.ok());
  CHECK(*decoded == record);
}

TEST_CASE("what to remove survives the wire, and nothing is not all") {
  const Filter filter = Filter::all_of({where::match("a", true)});
  for (const Selector& points : {Selector(difficult_ids()), Selector(),
                                 Selector(filter), Selector::all()}) {
    const auto decoded = decode_remove(encode_remove(points));
    REQUIRE(decoded.ok());
    CHECK(*decoded == points);
  }
  CHECK(decode_remove(R"({"filter":{"must":[]}})")->is_all());
  CHECK(decode_remove(R"({"points":null,"filter":null})").status().message() ==
        "Either list of point ids or filter must be provided");
  CHECK(decode_remove(R"({"filter":{"musst":[]}})")
            .status()
            .message()
            .find("filter") == 0);
  CHECK_FALSE(decode_remove(R"({"points":[1],"filter":{}})").ok());
  CHECK_FALSE(decode_remove("{}").ok());
  CHECK_FALSE(decode_remove("[1]").ok());
  for (const char* id : {"18446744073709551616", "-1", "1.0", "1e3", "\"5\""}) {
    CAPTURE(id);
    CHECK_FALSE(decode_remove(R"({"points":[)" + std::string(id) + "]}").ok());
  }
}

TEST_CASE("what a write came to survives the wire") {
  for (const bool durable : {false, true}) {
    const UpdateResult result = {
        .sequence = std::numeric_limits<std::uint64_t>::max(),
        .durable = durable};
    const auto decoded =
        decode_update_reply(encode_update_reply(result, true, 0.0), durable);
    REQUIRE(decoded.ok());
    CHECK(*decoded == result);
  }
  CHECK(encode_update_reply({.sequence = 17, .durable = true}, true, 0.5) ==
        R"({"result":{"operation_id":17,"status":"completed"},)"
        R"("status":"ok","time":0.5})");
  CHECK(encode_update_reply({.sequence = 1, .durable = false}, false, 0.5)
            .find(R"("status":"acknowledged")") != std::string::npos);
}

TEST_CASE("a retrieve survives the wire") {
  for (const bool with_payload : {false, true}) {
    for (const bool with_vector : {false, true}) {
      const GetOptions options = {.with_payload = with_payload,
                                  .with_vector = with_vector};
      const auto decoded =
          decode_retrieve(encode_retrieve(difficult_ids(), options));
      REQUIRE(decoded.ok());
      CHECK(decoded->ids == difficult_ids());
      CHECK(decoded->options.with_payload == with_payload);
      CHECK(decoded->options.with_vector == with_vector);
      CHECK(decoded->payload.enabled == with_payload);
    }
  }
}

TEST_CASE("a retrieve that does not say gets ids alone") {
  const auto request = decode_retrieve(R"({"ids":[1]})");
  REQUIRE(request.ok());
  CHECK_FALSE(request->options.with_payload);
  CHECK_FALSE(request->options.with_vector);
  CHECK(decode_retrieve(R"({"ids":[1],"with_vectors":true})")
            ->options.with_vector);
  CHECK(decode_retrieve(R"({"ids":[1],"with_vector":["a"]})")
            .status()
            .message()
            .find("named vectors") != std::string::npos);
}

std::vector<Record> some_records() {
  return {{0, std::nullopt, std::nullopt},
          {9007199254740993u, difficult_floats(), std::nullopt},
          {uuid(), std::nullopt, payload(R"({"é":[1.0,{"b":null}]})")},
          {5, std::vector<float>{}, Payload()}};
}

TEST_CASE("records survive the wire") {
  const std::vector<Record> records = some_records();
  const auto decoded =
      decode_records_reply(encode_records_reply(records, kAll, 0.0));
  REQUIRE(decoded.ok());
  CHECK(*decoded == records);
  CHECK(same_bits(*(*decoded)[1].vector, difficult_floats()));
  for (const Record& record : records) {
    const auto one = decode_record_reply(encode_record_reply(record, 0.0));
    REQUIRE(one.ok());
    CHECK(*one == record);
  }
}

TEST_CASE("absent parts of a record are left out, an empty payload is not") {
  CHECK(encode_record_reply({4, std::nullopt, std::nullopt}, 0.5) ==
        R"({"result":{"id":4},"status":"ok","time":0.5})");
  CHECK(encode_record_reply({4, std::vector<float>{9.0f, 0.19f}, Payload()},
                            0.5) ==
        R"({"result":{"id":4,"payload":{},"vector":[9.0,0.19]},)"
        R"("status":"ok","time":0.5})");
  const std::vector<Record> records = {{4, std::nullopt, payload("{\"a\":1}")}};
  CHECK(encode_records_reply(records, {}, 0.5).find("payload") ==
        std::string::npos);
}

TEST_CASE("a scroll survives the wire") {
  for (const PointId& id : difficult_ids()) {
    const ScrollOptions options = {.offset = id,
                                   .limit = kMaxCount,
                                   .with_payload = false,
                                   .with_vector = true};
    const auto decoded = decode_scroll(encode_scroll(options));
    REQUIRE(decoded.ok());
    CHECK(decoded->options.offset == id);
    CHECK(decoded->options.limit == kMaxCount);
    CHECK_FALSE(decoded->options.with_payload);
    CHECK(decoded->options.with_vector);
  }
  CHECK_FALSE(decode_scroll(encode_scroll({}))->options.offset.has_value());
}

TEST_CASE("a scroll that does not say gets ten points with payload") {
  const auto request = decode_scroll("{}");
  REQUIRE(request.ok());
  CHECK(request->options.limit == 10);
  CHECK(request->options.with_payload);
  CHECK(request->payload.enabled);
  CHECK_FALSE(request->options.with_vector);
}

TEST_CASE(
    "limits of a scroll: zero is an error of the field, huge is clamped") {
  CHECK(decode_scroll(R"({"limit":0})").status() ==
        Status::invalid_field("limit", "value 0 invalid, must be 1 or larger"));
  CHECK(decode_scroll(R"({"limit":18446744073709551615})")->options.limit ==
        kMaxCount);
  for (const char* limit :
       {"-1", "1.5", "\"10\"", "[10]", "true", "1e3", "18446744073709551616"}) {
    CAPTURE(limit);
    const Status status =
        decode_scroll(R"({"limit":)" + std::string(limit) + "}").status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.field() == "");
  }
  CHECK(decode_scroll(R"({"filter":null,"order_by":null})").ok());
}

TEST_CASE("the filter and the order of a scroll survive the wire") {
  ScrollOptions options;
  options.filter =
      Filter::any_of({where::match("a", "x"), where::is_null("b")});
  CHECK(decode_scroll(encode_scroll(options))->options.filter ==
        options.filter);
  using Start = decltype(OrderBy::start_from);
  for (const Start& start :
       {Start(), Start(std::int64_t{-7}), Start(9007199254740993), Start(0.1),
        Start(5.0), Start("2024-05-01T12:00:00Z")}) {
    for (const auto direction :
         {OrderBy::Direction::ascending, OrderBy::Direction::descending}) {
      options.order_by = OrderBy{"a.b", direction, start};
      const auto decoded = decode_scroll(encode_scroll(options));
      REQUIRE(decoded.ok());
      REQUIRE(decoded->options.order_by.has_value());
      CHECK(decoded->options.order_by->key == "a.b");
      CHECK(decoded->options.order_by->direction == direction);
      CHECK(decoded->options.order_by->start_from == start);
    }
  }
  CHECK(decode_scroll(R"({"order_by":"x"})")->options.order_by->key == "x");
  for (const char* bad :
       {R"({"key":"a","direction":"up"})", R"({"direction":"asc"})",
        R"({"key":"a","start_from":true})", R"({"key":"a","from":1})", "[]"}) {
    CAPTURE(bad);
    const Status status =
        decode_scroll(R"({"order_by":)" + std::string(bad) + "}").status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.message().find("order_by") == 0);
  }
}

TEST_CASE("values that a page is ordered by survive the wire") {
  ScrollPage page;
  for (const where::Number& value :
       {where::Number(std::int64_t{5}), where::Number(5.0), where::Number(-0.1),
        where::Number(9007199254740993)}) {
    Record& record = page.points.emplace_back();
    record.id = page.points.size();
    record.order_value = value;
  }
  CHECK(*decode_scroll_reply(encode_scroll_reply(page, kAll, 0.0)) == page);
}

TEST_CASE("pages survive the wire") {
  ScrollPage page;
  page.points = some_records();
  for (const PointId& id : difficult_ids()) {
    page.next_offset = id;
    const auto decoded =
        decode_scroll_reply(encode_scroll_reply(page, kAll, 0.0));
    REQUIRE(decoded.ok());
    CHECK(*decoded == page);
  }
  CHECK(encode_scroll_reply({}, kAll, 0.5) ==
        R"({"result":{"points":[],"next_page_offset":null},)"
        R"("status":"ok","time":0.5})");
  CHECK(*decode_scroll_reply(encode_scroll_reply({}, kAll, 0.5)) ==
        ScrollPage());
}

TEST_CASE("counts survive the wire") {
  CHECK(*decode_count_reply(encode_count_reply(9007199254740993u, 0.0)) ==
        9007199254740993u);
  CHECK(decode_count("{}").ok());
  CHECK(decode_count(R"({"exact":false,"filter":null})").ok());
  CHECK_FALSE(decode_count(R"({"exact":1})").ok());
  CHECK(decode_count(R"({"filter":{}})")->empty());
  const Filter filter = Filter::none_of({where::match("a", std::int64_t{5})});
  CHECK(*decode_count(encode_count(filter)) == filter);
  CHECK(encode_count({}) == "{}");
  CHECK_FALSE(decode_count("").ok());
  CHECK_FALSE(decode_count(R"({"filters":{}})").ok());
}

}  // namespace
}  // namespace lamina::protocol
