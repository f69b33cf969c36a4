#include "protocol/query_json.h"

#include <doctest/doctest.h>

#include <limits>

#include "lamina/limits.h"

namespace lamina::protocol {
namespace {

const PayloadSelector kAll = {.enabled = true, .include = {}, .exclude = {}};

std::string query_error(std::string_view body) {
  return decode_query(body).status().message();
}

void check_same_options(const QueryOptions& a, const QueryOptions& b) {
  CHECK(a.top_k == b.top_k);
  CHECK(a.offset == b.offset);
  CHECK(a.score_threshold == b.score_threshold);
  CHECK(a.with_payload == b.with_payload);
  CHECK(a.with_vector == b.with_vector);
}

std::vector<QueryOptions> some_options() {
  return {{},
          {.top_k = kMaxCount,
           .offset = kMaxCount,
           .score_threshold = -0.1f,
           .with_payload = true,
           .with_vector = false},
          {.top_k = 1,
           .offset = 1,
           .score_threshold = std::numeric_limits<float>::lowest(),
           .with_payload = false,
           .with_vector = true}};
}

TEST_CASE("a query by vector survives the wire") {
  const std::vector<float> vector = {0.1f, -0.0f, 1e-40f,
                                     std::numeric_limits<float>::max()};
  for (const QueryOptions& options : some_options()) {
    const auto decoded = decode_query(encode_query(vector, options));
    REQUIRE(decoded.ok());
    CHECK(decoded->by_vector());
    CHECK(decoded->vector == vector);
    CHECK_FALSE(decoded->id.has_value());
    CHECK(decoded->payload.enabled == options.with_payload);
    check_same_options(decoded->options, options);
  }
}

TEST_CASE("a query by id survives the wire") {
  for (const PointId& id :
       {PointId(0), PointId(std::numeric_limits<std::uint64_t>::max()),
        PointId::from_name("x")}) {
    for (const QueryOptions& options : some_options()) {
      const auto decoded = decode_query(encode_query_by_id(id, options));
      REQUIRE(decoded.ok());
      CHECK_FALSE(decoded->by_vector());
      CHECK(decoded->id == id);
      check_same_options(decoded->options, options);
    }
  }
}

TEST_CASE("a query that does not say gets ten ids with scores") {
  const auto request = decode_query(R"({"query":[1.0]})");
  REQUIRE(request.ok());
  check_same_options(request->options, QueryOptions());
  CHECK_FALSE(request->payload.enabled);
}

TEST_CASE("the target may stand under nearest") {
  CHECK(decode_query(R"({"query":{"nearest":[1,2]}})")->vector ==
        std::vector<float>{1.0f, 2.0f});
  CHECK(decode_query(R"({"query":{"nearest":7}})")->id == PointId(7));
  CHECK_FALSE(decode_query(R"({"query":{"nearest":{"nearest":7}}})").ok());
  CHECK(query_error(R"({"query":{"nearest":[1],"mmr":{}}})") ==
        "query: unknown field `mmr`");
}

TEST_CASE("no query is a walk in id order, an empty vector is a query") {
  const auto walk = decode_query(R"({"query":null,"limit":3})");
  REQUIRE(walk.ok());
  CHECK_FALSE(walk->by_vector());
  CHECK_FALSE(walk->id.has_value());
  const auto empty = decode_query(R"({"query":[]})");
  REQUIRE(empty.ok());
  CHECK(empty->by_vector());
  CHECK(query_error(R"({"score_threshold":0.5})")
            .starts_with("A query is needed to use the score_threshold"));
}

TEST_CASE("how a graph is searched survives the wire") {
  for (const bool exact : {false, true}) {
    for (const std::optional<std::uint32_t> ef :
         {std::optional<std::uint32_t>(), {1u}, {4'096u}}) {
      QueryOptions options;
      options.exact = exact;
      options.hnsw_ef = ef;
      const std::vector<float> vector = {1.0f};
      const auto decoded = decode_query(encode_query(vector, options));
      REQUIRE(decoded.ok());
      CHECK(decoded->options.exact == exact);
      CHECK(decoded->options.hnsw_ef == ef);
    }
  }
  const auto wide = decode_query(R"({"query":[1],"params":{"hnsw_ef":9999}})");
  REQUIRE(wide.ok());
  CHECK(wide->options.hnsw_ef == 4'096u);
  CHECK(query_error(R"({"query":[1],"params":{"exact":1}})")
            .starts_with("params.exact: expected"));
}

TEST_CASE("fields of the contract that are known here pass") {
  CHECK(decode_query(R"({"query":[0.2,0.1], "filter":null,)"
                     R"("params":{"hnsw_ef":128,"exact":false,)"
                     R"("indexed_only":false,"quantization":{"ignore":true}},)"
                     R"("score_threshold":0.5,"limit":10,"offset":0,)"
                     R"("with_payload":true,"with_vector":false,"using":null,)"
                     R"("prefetch":null,"lookup_from":null,)"
                     R"("shard_key":null})")
            .ok());
  CHECK(decode_query(R"({"query":[1],"using":"","prefetch":[]})").ok());
  CHECK(decode_query(R"({"query":[1],"limit":null,"offset":null})").ok());
}

TEST_CASE("limits: zero is an error of top_k, huge is clamped") {
  CHECK(decode_query(R"({"query":[1],"limit":0})").status() ==
        Status::invalid_field("top_k", "value 0 invalid, must be 1 or larger"));
  const auto huge = decode_query(R"({"query":[1],"limit":18446744073709551615,)"
                                 R"("offset":18446744073709551615})");
  REQUIRE(huge.ok());
  CHECK(huge->options.top_k == kMaxCount);
  CHECK(huge->options.offset == kMaxCount);
  CHECK(decode_query(R"({"query":[1],"params":{"hnsw_ef":0}})")
            .status()
            .field()
            .find("hnsw_ef") != std::string::npos);
  for (const char* limit :
       {"-1", "1.5", "\"10\"", "[10]", "true", "1e3", "18446744073709551616"}) {
    CAPTURE(limit);
    CHECK(query_error(R"({"query":[1],"limit":)" + std::string(limit) + "}")
              .starts_with("limit: expected an unsigned 64-bit integer"));
  }
}

TEST_CASE("with_vectors is another name of with_vector") {
  CHECK(decode_query(R"({"query":[1],"with_vectors":true})")
            ->options.with_vector);
  CHECK(
      decode_query(R"({"query":[1],"with_vector":true})")->options.with_vector);
  CHECK_FALSE(decode_query(R"({"query":[1],"with_vectors":1})").ok());
}

TEST_CASE("a query that means something else is refused by name") {
  const auto refuses = [](const std::string& field, const std::string& value) {
    const std::string error =
        query_error(R"({"query":[1],")" + field + "\":" + value + "}");
    return error.starts_with(field) &&
           error.find("does not support") != std::string::npos;
  };
  CHECK(refuses("prefetch", R"([{"query":[1]}])"));
  CHECK(refuses("prefetch", R"({"query":[1]})"));
  CHECK(refuses("using", "\"text\""));
  CHECK(refuses("lookup_from", R"({"collection":"x"})"));
  CHECK(query_error(R"({"query":{"fusion":"rrf"}})") ==
        "query: lamina does not support `fusion` yet");
  CHECK(query_error(R"({"query":{"recommend":{}}})").find("`recommend`") !=
        std::string::npos);
  CHECK(query_error(R"({"query":[[1],[2]]})").find("multi vectors") !=
        std::string::npos);
  CHECK(query_error(R"({"query":{"indices":[1],"values":[1]}})")
            .find("sparse vectors") != std::string::npos);
  CHECK(query_error(R"({"query":[1],"topk":5})") == "unknown field `topk`");
  CHECK(query_error(R"({"query":[1],"top_k":5})") == "unknown field `top_k`");
  CHECK(query_error(R"({"query":[1],"params":{"ef":5}})") ==
        "params: unknown field `ef`");
  CHECK(query_error(R"({"query":true})") ==
        "query: expected an array, got a boolean");
  CHECK(query_error(R"({"query":"5"})")
            .find("query: value \"5\" is not a valid point ID") == 0);
}

std::vector<Hit> some_hits() {
  const Payload payload = Payload::from_json(R"({"é":[1.0,null]})").value();
  return {{.id = 4,
           .score = 1.362f,
           .version = 0,
           .vector = std::nullopt,
           .payload = std::nullopt},
          {.id = std::numeric_limits<std::uint64_t>::max(),
           .score = -1e-40f,
           .version = std::numeric_limits<std::uint64_t>::max(),
           .vector = std::vector<float>{0.1f, 9.0f},
           .payload = payload},
          {.id = PointId::from_name("y"),
           .score = std::numeric_limits<float>::max(),
           .version = 1,
           .vector = std::nullopt,
           .payload = Payload()}};
}

TEST_CASE("hits survive the wire") {
  const std::vector<Hit> hits = some_hits();
  const auto decoded = decode_hits_reply(encode_hits_reply(hits, kAll, 0.0));
  REQUIRE(decoded.ok());
  CHECK(*decoded == hits);
  CHECK(decode_hits_reply(encode_hits_reply({}, kAll, 0.0))->empty());
}

TEST_CASE("absent parts of a hit are left out") {
  const Hit bare = some_hits().front();
  CHECK(encode_hits_reply(std::span(&bare, 1), kAll, 0.5) ==
        R"({"result":{"points":[{"id":4,"version":0,"score":1.362}]},)"
        R"("status":"ok","time":0.5})");
}

TEST_CASE("of a hit's payload goes what was asked for") {
  Hit hit;
  hit.payload = Payload::from_json(R"({"a":1,"b":2})").value();
  const PayloadSelector only_b = {
      .enabled = true, .include = {"b"}, .exclude = {}};
  CHECK(encode_hits_reply(std::span(&hit, 1), only_b, 0.5)
            .find(R"("payload":{"b":2})") != std::string::npos);
}

TEST_CASE("a batch survives the wire") {
  const std::vector<float> a = {1.0f, 2.0f};
  const std::vector<float> b = {-0.0f, 0.5f};
  const std::vector<VectorView> vectors = {a, b};
  const QueryOptions options = some_options()[1];
  const auto requests =
      decode_query_batch(encode_query_batch(vectors, options));
  REQUIRE(requests.ok());
  REQUIRE(requests->size() == 2);
  CHECK((*requests)[0].vector == a);
  CHECK((*requests)[1].vector == b);
  check_same_options((*requests)[1].options, options);
  CHECK(decode_query_batch(encode_query_batch({}, options))->empty());

  const std::vector<std::vector<Hit>> lists = {some_hits(), {}};
  const auto decoded =
      decode_hits_batch_reply(encode_hits_batch_reply(lists, *requests, 0.0));
  REQUIRE(decoded.ok());
  CHECK(*decoded == lists);
}

TEST_CASE("an error in a batch names the query") {
  const auto error_of = [](std::string_view body) {
    return decode_query_batch(body).status().message();
  };
  CHECK(error_of(R"({"searches":[{"query":[1]},{"query":[1,null]}]})") ==
        "searches[1].query[1]: expected a number, got null");
  CHECK(error_of(R"({"searches":[{"query":[1],"topk":1}]})") ==
        "searches[0]: unknown field `topk`");
  CHECK(error_of(R"({"searches":{}})") ==
        "searches: expected an array, got an object");
  CHECK(error_of("{}") == "missing field `searches`");
  CHECK(error_of(R"({"searches":[],"search":1})") == "unknown field `search`");
}

}  // namespace
}  // namespace lamina::protocol
