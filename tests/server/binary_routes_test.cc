#include <cmath>
#include <limits>
#include <vector>

#include "protocol/binary_points.h"
#include "protocol/binary_query.h"
#include "protocol/media_type.h"
#include "protocol/query_json.h"
#include "router_fixture.h"

namespace lamina::server {
namespace {

constexpr std::string_view kFloats = protocol::kFloatsMedia;
constexpr std::string_view kTensors = protocol::kTensorsMedia;

std::string floats(std::vector<float> values) {
  const VectorView view(values);
  return protocol::encode_query_floats({&view, 1});
}

Reply send(Fixture* fixture, std::string_view method, std::string_view target,
           std::string_view content_type, std::string_view body,
           std::string_view accept = "") {
  const std::size_t mark = std::min(target.find('?'), target.size());
  Request request;
  request.method = method;
  request.path = target.substr(0, mark);
  request.query = target.substr(std::min(target.size(), mark + 1));
  request.content_type = content_type;
  request.accept = accept;
  request.body = body;
  return fixture->handle(request);
}

Reply query(Fixture* fixture, std::string_view parameters,
            std::string_view body, std::string_view content_type = kFloats,
            std::string_view accept = "") {
  return send(fixture, "POST",
              "/v1/collections/c/query?" + std::string(parameters),
              content_type, body, accept);
}

// "415 unsupported-media-type"
std::string problem(const Reply& reply) {
  CHECK(reply.content_type == "application/problem+json");
  const std::string type = R"({"type":"/problems/)";
  REQUIRE(reply.body.starts_with(type));
  return std::to_string(reply.status) + " " +
         reply.body.substr(type.size(),
                           reply.body.find('"', type.size()) - type.size());
}

TEST_CASE("a query of floats is answered as one of JSON") {
  Fixture fixture;
  fixture.fill();
  for (const std::string_view type :
       {kFloats, protocol::kBytesMedia,
        std::string_view("Application/Octet-Stream; charset=binary")}) {
    CHECK(result_of(query(&fixture, "limit=2", floats({1, 0}), type)) ==
          R"({"result":[{"points":[{"id":3,"version":1,"score":3.0},)"
          R"({"id":2,"version":1,"score":2.0}]}],"status":"ok")");
  }
}

TEST_CASE("floats of several vectors are several queries") {
  Fixture fixture;
  fixture.fill();
  const Reply reply =
      query(&fixture, "limit=1", floats({1, 0, -1, 0}), kFloats, kTensors);
  CHECK(reply.content_type == kTensors);
  const auto lists = protocol::decode_hits_tensors(reply.body).value();
  REQUIRE(lists.size() == 2);
  CHECK(lists[0][0].id == PointId(3));
  CHECK(lists[1][0].id == PointId(1));
  CHECK(lists[1][0].score == -1.0f);
}

TEST_CASE("every parameter of a query takes effect") {
  Fixture fixture;
  fixture.fill();
  const Reply reply = query(
      &fixture,
      "limit=5&offset=1&score_threshold=0.5&exact=true&ef=64&with_vector=true&"
      "with_payload=%5B%22a%22%5D&filter="
      "%7B%22must%22%3A%5B%7B%22has_id%22%3A%5B1%2C3%5D%7D%5D%7D",
      floats({1, 0}));
  CHECK(result_of(reply) ==
        R"({"result":[{"points":[{"id":1,"version":1,"score":1.0,)"
        R"("payload":{"a":1},"vector":[1.0,0.0]}]}],"status":"ok")");
}

TEST_CASE("queries as tensors have their parameters with them") {
  Fixture fixture;
  fixture.fill();
  std::string body;
  const std::string header =
      R"({"__metadata__":{"limit":"1","filter":"{\"must\":[{\"has_id\":[2]}]}"},)"
      R"("queries":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})";
  const std::uint64_t length = header.size();
  body.append(reinterpret_cast<const char*>(&length), sizeof length);
  body += header + floats({1, 0});
  CHECK(result_of(query(&fixture, "", body, kTensors)) ==
        R"({"result":[{"points":[{"id":2,"version":1,"score":2.0}]}],)"
        R"("status":"ok")");
}

TEST_CASE("a length that is no multiple of a vector's is told with both") {
  Fixture fixture;
  fixture.fill();
  for (const std::size_t bytes : {0u, 1u, 7u, 9u, 4u}) {
    const Reply reply = query(&fixture, "", std::string(bytes, '\0'));
    CHECK(problem(reply) == "400 length-mismatch");
    CHECK(has(reply, std::to_string(bytes) +
                         " bytes, expected a multiple of the 8 that 2 values"));
  }
}

TEST_CASE("a body of another type is 415, and the types are named") {
  Fixture fixture;
  fixture.fill();
  for (const std::string_view type : {"", "application/json", "text/plain",
                                      "application/octet-stream;dtype=f16"}) {
    const Reply reply = query(&fixture, "", floats({1, 0}), type);
    CHECK(problem(reply) == "415 unsupported-media-type");
    CHECK(header(reply, "Accept").find(kFloats) != std::string::npos);
  }
  CHECK(problem(send(&fixture, "PUT", "/v1/collections/c/points",
                     "application/json", "{}")) ==
        "415 unsupported-media-type");
}

TEST_CASE("a reply of another type is 406") {
  Fixture fixture;
  fixture.fill();
  CHECK(problem(query(&fixture, "", floats({1, 0}), kFloats, "text/html")) ==
        "406 not-acceptable");
  for (const char* path : {"get", "scroll"}) {
    CHECK(problem(send(&fixture, "POST",
                       "/v1/collections/c/points/" + std::string(path), "",
                       R"({"ids":[1]})", "image/png")) == "406 not-acceptable");
  }
}

TEST_CASE("values that are not finite are refused") {
  Fixture fixture;
  fixture.fill();
  for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
    CHECK(problem(query(&fixture, "", floats({1, value}))) ==
          "400 invalid-argument");
    const std::vector<float> vector = {value, 1};
    const Point point = {.id = 1, .vector = vector, .payload = {}};
    CHECK(problem(send(&fixture, "PUT", "/v1/collections/c/points", kTensors,
                       protocol::encode_upsert_tensors({&point, 1}))) ==
          "400 invalid-argument");
  }
}

TEST_CASE("parameters of a query that are wrong are named") {
  Fixture fixture;
  fixture.fill();
  const auto error = [&](std::string_view parameters) {
    return query(&fixture, parameters, floats({1, 0}));
  };
  for (const char* range : {"limit=0", "ef=0"}) {
    CHECK(problem(error(range)) == "422 out-of-range");
  }
  CHECK(has(error("limit=0"), R"("field":"limit")"));
  for (const char* text :
       {"limit=-1", "limit=1.5", "limit=", "offset=x", "score_threshold=nan",
        "score_threshold=1e99", "exact=1", "with_vector=maybe",
        "with_payload=%7B", "filter=%7B", "filter=%7B%22a%22%3A1%7D", "limi=1",
        "%zz=1", "limit=%zz"}) {
    CAPTURE(text);
    CHECK(problem(error(text)) == "400 malformed-query");
  }
}

TEST_CASE("points are written as tensors, and read as tensors and as JSON") {
  Fixture fixture;
  fixture.create();
  const std::vector<float> first = {0.1f, -0.0f};
  const std::vector<float> second = {1e-40f, 2};
  const PointId uuid =
      PointId::parse("98a9a4b1-4ef2-46fb-8315-a97d874fe1d7").value();
  const std::vector<Point> points = {
      {uuid, first, Payload::from_json(R"({"a":"b\n"})").value()},
      {PointId(7), second, {}}};
  const Reply written =
      send(&fixture, "PUT", "/v1/collections/c/points?wait=true", kTensors,
           protocol::encode_upsert_tensors(points));
  CHECK(result_of(written) ==
        R"({"result":{"operation_id":1,"status":"completed"},"status":"ok")");
  CHECK_FALSE(header(written, "Lamina-Durable").empty());

  const std::string ask = R"({"ids":[7,")" + uuid.to_string() +
                          R"(",9],"with_payload":true,"with_vector":true})";
  const Reply got =
      send(&fixture, "POST", "/v1/collections/c/points/get", "", ask, kTensors);
  const auto records = protocol::decode_records_tensors(got.body).value();
  REQUIRE(records.size() == 2);
  CHECK(records[0].id == PointId(7));
  CHECK(*records[0].vector == second);
  CHECK(records[1].id == uuid);
  CHECK(std::signbit((*records[1].vector)[1]));
  CHECK(records[1].payload->json() == R"({"a":"b\n"})");

  const Reply page =
      send(&fixture, "POST", "/v1/collections/c/points/scroll", "",
           R"({"limit":1,"with_vector":true,"with_payload":false})", kTensors);
  const auto scrolled = protocol::decode_scroll_tensors(page.body).value();
  CHECK(scrolled.points.size() == 1);
  CHECK(scrolled.next_offset == uuid);
  CHECK_FALSE(scrolled.points[0].payload.has_value());

  CHECK(result_of(send(&fixture, "POST", "/v1/collections/c/points/get", "",
                       R"({"ids":[7],"with_vector":true})")) ==
        R"({"result":[{"id":7,"vector":[1e-40,2.0]}],"status":"ok")");
}

TEST_CASE("tensors that are wrong are refused, and nothing is written") {
  Fixture fixture;
  fixture.create();
  const std::vector<float> vector = {1, 2};
  const std::vector<Point> points = {{PointId(1), vector, {}},
                                     {PointId(2), vector, {}}};
  const std::string good = protocol::encode_upsert_tensors(points);
  const auto put = [&](std::string_view body) {
    return send(&fixture, "PUT", "/v1/collections/c/points", kTensors, body);
  };
  for (std::size_t length = 0; length < good.size(); ++length) {
    CHECK(put(std::string_view(good).substr(0, length)).status == 400);
  }
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string body = good;
    body.replace(body.find(from), from.size(), to);
    return put(body);
  };
  CHECK(has(replaced("F32", "F16"), "vectors"));
  CHECK(has(replaced("\"ids\"", "\"idx\""), "idx"));
  CHECK(replaced("[2,2]", "[4,1]").status == 400);
  CHECK(replaced("[2,2]", "[1,4]").status == 400);
  CHECK(put(good + "x").status == 400);
  std::string huge = good;
  huge.replace(0, 8, std::string(8, '\xff'));
  CHECK(has(put(huge), "header of 18446744073709551615 bytes"));
  CHECK(has(fixture.call("GET", "/collections/c"), R"("points_count":0)"));
  CHECK(put(good).status == 200);
}

TEST_CASE("payloads that do not go with the points name their line") {
  Fixture fixture;
  fixture.create();
  const std::vector<float> vector = {1, 2};
  const std::vector<Point> points = {
      {PointId(1), vector, Payload::from_json(R"({"a":1})").value()}};
  const std::string good = protocol::encode_upsert_tensors(points);
  const auto put = [&](std::string_view line) {
    std::string body = good;
    const std::string old = "{\"a\":1}\n";
    body.replace(body.rfind(old), old.size(), line);
    return send(&fixture, "PUT", "/v1/collections/c/points", kTensors, body);
  };
  CHECK(has(put("{\"a\":x}\n"), "payloads: line 1: "));
  CHECK(has(put("[\"a\",1]\n").body.empty() ? Reply() : put("[1,2,3]\n"),
            "payloads: line 1: "));
  CHECK(has(put("{\"a\":1}}"), "payloads: line 1: no "));
  CHECK(has(put("\n\n\n\n\n\n\n\n"), "payloads: line 2: more lines"));
}

TEST_CASE("vectors are base64 wherever JSON takes an array") {
  Fixture fixture;
  fixture.create();
  // 1.0, 0.0 and 2.0, 0.0
  CHECK(fixture
            .call("PUT", "/collections/c/points",
                  R"({"points":[{"id":1,"vector":"AACAPwAAAAA="},)"
                  R"({"id":2,"vector":{"f32":"AAAAQAAAAAA="}}]})")
            .status == 200);
  CHECK(fixture
            .call("PUT", "/collections/c/points",
                  R"({"batch":{"ids":[3],"vectors":["AABAQAAAAAA="]}})")
            .status == 200);
  CHECK(has(fixture.call("GET", "/collections/c/points/3"),
            R"("vector":[3.0,0.0])"));
  for (const char* body :
       {R"({"query":{"nearest":{"f32":"AACAPwAAAAA="}},"limit":1})",
        R"({"query":{"f32":"AACAPwAAAAA="},"limit":1})"}) {
    CHECK(has(fixture.call("POST", "/collections/c/points/query", body),
              R"({"id":3,"version":2,"score":3.0})"));
  }
  CHECK(has(fixture.call("POST", "/collections/c/points/search",
                         R"({"vector":"AACAPwAAAAA=","limit":1})"),
            R"({"id":3,"version":2,"score":3.0})"));
  // A short string is an id, not a vector.
  CHECK(fixture
            .call("POST", "/collections/c/points/query",
                  R"({"query":"AACAPwAAAAA="})")
            .status == 400);
}

TEST_CASE("errors of Lamina's own routes are problems") {
  Fixture fixture;
  CHECK(problem(query(&fixture, "", floats({1, 0}))) == "404 not-found");
  CHECK(problem(fixture.call("GET", "/v1/nowhere")) == "404 not-found");
  const Reply method = fixture.call("DELETE", "/v1/noop");
  CHECK(problem(method) == "405 method-not-allowed");
  CHECK(has(method, R"("title":"Method not allowed","status":405,"detail":")"));
  CHECK(header(method, "Allow") == "GET, HEAD, POST");
  CHECK(problem(send(&fixture, "POST", "/v1/collections/c/points/get", "",
                     "{")) == "400 malformed-body");
}

TEST_CASE("GET /v1 says what is offered") {
  const Reply reply = Fixture().call("GET", "/v1");
  CHECK(reply.status == 200);
  CHECK(has(reply, R"("POST /v1/collections/{c}/query")"));
  CHECK(has(reply, std::string(kTensors)));
  CHECK(has(reply, R"("limits":{"body_bytes":33554432)"));
}

}  // namespace
}  // namespace lamina::server
