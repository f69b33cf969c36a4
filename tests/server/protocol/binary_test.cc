#include <doctest/doctest.h>

#include <random>

#include "protocol/base64.h"
#include "protocol/binary_points.h"
#include "protocol/binary_query.h"
#include "protocol/search_parameters.h"

namespace lamina::protocol {
namespace {

PointId uuid(std::uint8_t last) {
  PointId::UuidBytes bytes{};
  bytes[15] = last;
  return PointId::from_uuid(bytes);
}

const std::vector<std::vector<Hit>> kLists = {
    {{.id = 3, .score = 0.5f, .version = 1},
     {.id = uuid(1), .score = -0.0f, .version = UINT64_MAX},
     {.id = UINT64_MAX, .score = 1e-40f, .version = 2}},
    {},
    {{.id = uuid(2), .score = 3, .version = 7}}};

TEST_CASE("hits survive the wire, in their lists and in their order") {
  const std::string body = encode_hits_tensors(kLists, {});
  CHECK(decode_hits_tensors(body).value() == kLists);
  CHECK(decode_hits_tensors(encode_hits_tensors({}, {})).value().empty());
}

TEST_CASE("hits take their vectors and payloads with them") {
  std::vector<std::vector<Hit>> lists = kLists;
  for (std::vector<Hit>& hits : lists) {
    for (Hit& hit : hits) {
      hit.vector = {1.5f, -2.0f};
      hit.payload = Payload::from_json(R"({"line":"a\nb"})").value();
    }
  }
  const std::string body = encode_hits_tensors(lists, {true, {}, {}});
  CHECK(decode_hits_tensors(body).value() == lists);
}

TEST_CASE("a body cut anywhere is an error, and so is one byte too many") {
  const std::string hits = encode_hits_tensors(kLists, {});
  for (std::size_t length = 0; length < hits.size(); ++length) {
    CHECK_FALSE(decode_hits_tensors(hits.substr(0, length)).ok());
  }
  CHECK_FALSE(decode_hits_tensors(hits + '\0').ok());
}

TEST_CASE("a body with bytes changed is an error or another message") {
  std::mt19937 random(1);
  const std::vector<float> vector = {1, 2, 3};
  const std::vector<Point> points = {
      {PointId(1), vector, Payload::from_json(R"({"a":[1]})").value()},
      {uuid(9), vector, {}}};
  const std::string upsert = encode_upsert_tensors(points);
  const std::string hits = encode_hits_tensors(kLists, {});
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string body = round % 2 == 0 ? upsert : hits;
    for (int change = 0; change <= round % 3; ++change) {
      body[random() % body.size()] = static_cast<char>(random());
    }
    const Result<PointBatch> batch = decode_upsert_tensors(body);
    if (batch.ok()) {
      ++accepted;
      for (const Point& point : batch->points()) {
        CHECK(point.vector.size() < body.size());
      }
    }
    static_cast<void>(decode_hits_tensors(body).ok());
    static_cast<void>(decode_scroll_tensors(body).ok());
    SearchParameters parameters;
    static_cast<void>(decode_query_tensors(body, &parameters).ok());
  }
  CHECK(accepted > 0);
}

TEST_CASE("numbers stand before UUIDs unless is_uuid tells") {
  const auto order = [](std::vector<PointId> ids) {
    std::vector<Record> records;
    for (const PointId& id : ids) records.push_back({.id = id});
    const std::string body = encode_records_tensors(records, {});
    CHECK(decode_records_tensors(body).value() == records);
    return body.find("is_uuid") != std::string::npos;
  };
  CHECK_FALSE(order({1, 2}));
  CHECK_FALSE(order({2, uuid(1), uuid(2)}));
  CHECK_FALSE(order({uuid(1)}));
  CHECK_FALSE(order({}));
  CHECK(order({uuid(1), 1}));
  CHECK(order({1, uuid(1), 2}));
}

TEST_CASE("base64 has one spelling, and stands for whole values") {
  const auto read = [](std::string_view text) {
    std::vector<float> values = {9};
    const Status status = read_base64_floats(text, "v", &values);
    if (!status.ok()) {
      CHECK(status.message().starts_with("v: "));
      CHECK(values.size() == 1);
      return std::vector<float>{-1};
    }
    return std::vector<float>(values.begin() + 1, values.end());
  };
  CHECK(read("") == std::vector<float>{});
  CHECK(read("AACAPw==") == std::vector<float>{1});
  CHECK(read("AACAPwAAAEAAAEBA") == std::vector<float>{1, 2, 3});
  for (const char* bad :
       {"AACAPw", "AACAPw=", "AACAPx==", "AACA Pw=", "=ACAPw==", "AACAPw=A",
        "AACAP===", "AACA", "AAAAAAA=", "AA-_Pw==", "====", "A==="}) {
    CAPTURE(bad);
    CHECK(read(bad) == std::vector<float>{-1});
  }
}

TEST_CASE("parameters of a query survive the query string") {
  QueryOptions options;
  options.top_k = 7;
  options.offset = 2;
  options.score_threshold = -0.1f;
  options.hnsw_ef = 99;
  options.exact = true;
  options.with_payload = true;
  options.with_vector = true;
  CHECK(encode_search_parameters(options) ==
        "limit=7&offset=2&score_threshold=-0.1&ef=99&exact=true&"
        "with_payload=true&with_vector=true");
  CHECK(encode_search_parameters({}) == "limit=10");
}

}  // namespace
}  // namespace lamina::protocol
