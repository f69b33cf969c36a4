#include <array>

#include "fuzz/round_trip.h"
#include "fuzz/targets.h"
#include "lamina/limits.h"
#include "protocol/query_json.h"
#include "types/validate.h"

namespace lamina::fuzz {
namespace {

using protocol::QueryRequest;

void check_options(const QueryOptions& options) {
  check(options.top_k >= 1 && options.top_k <= kMaxCount &&
            options.offset <= kMaxCount,
        "limit and offset are counts");
  check(!options.hnsw_ef ||
            (*options.hnsw_ef >= 1 && *options.hnsw_ef <= kMaxHnswEf),
        "a graph is searched as wide as is allowed");
}

// Numbers in base64 may be anything; what is not finite is refused where the
// query is answered, and has no JSON form.
bool has_json_form(const QueryRequest& request) {
  return validate_finite(request.vector, "query").ok();
}

std::string write(const QueryRequest& request) {
  check_options(request.options);
  if (request.id)
    return protocol::encode_query_by_id(*request.id, request.options);
  if (!request.by_vector() || !has_json_form(request)) return "{}";
  return protocol::encode_query(request.vector, request.options);
}

std::string write_search(const QueryRequest& request) {
  check(request.by_vector(), "a search is by vector");
  check_options(request.options);
  return "{}";
}

void read_query(std::string_view body) {
  check_round_trip(protocol::decode_query, write, body);
}
void read_search(std::string_view body) {
  const auto request = protocol::decode_search(body);
  if (request.ok()) write_search(*request);
}
void read_queries(std::string_view body) {
  const auto requests = protocol::decode_query_batch(body);
  if (!requests.ok()) return;
  for (const QueryRequest& request : *requests) {
    check(protocol::decode_query(write(request)).ok(),
          "one query of a batch is a query");
  }
}
void read_searches(std::string_view body) {
  const auto requests = protocol::decode_search_batch(body);
  if (!requests.ok()) return;
  for (const QueryRequest& request : *requests) write_search(request);
}

constexpr std::array kReaders = {read_query, read_search, read_queries,
                                 read_searches};

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kReaders.size();
  kReaders[choice](input);
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const std::string_view top_k :
       {"18446744073709551615", "4294967295", "0", "-1", "1.5", "\"10\"",
        "null", "[10]", "1e3", "true"}) {
    seeds.push_back(with_choice(
        0, R"({"query":[1,2],"limit":)" + std::string(top_k) + "}"));
  }
  for (const std::string_view hnsw_ef : {"1", "4096", "0", "65"}) {
    seeds.push_back(with_choice(0, R"({"query":[1],"params":{"hnsw_ef":)" +
                                       std::string(hnsw_ef) + "}}"));
  }
  for (const std::string_view query :
       {"[]", "[1e39]", "[0,-0.0,1e-40]", "7", R"("AACAPwAAAEA=")",
        R"({"nearest":[1,2]})", R"({"f32":"AACAPw=="})",
        R"("550e8400-e29b-41d4-a716-446655440000")",
        R"({"recommend":{"positive":[1]}})",
        R"({"indices":[1],"values":[1]})"}) {
    seeds.push_back(with_choice(0, R"({"query":)" + std::string(query) + "}"));
  }
  for (
      const std::string_view body :
      {R"({"query":[1],"limit":3,"offset":2,"score_threshold":0.5,"with_payload":["a"],"with_vector":true,"params":{"hnsw_ef":128,"exact":true},"filter":{"must":[{"key":"a","match":{"value":1}}]}})",
       R"({"vector":[1],"topk":5})",
       R"({"query":[1],"using":"","prefetch":[],"lookup_from":{"collection":"a"}})",
       R"({"score_threshold":1})"}) {
    seeds.push_back(with_choice(0, body));
  }
  seeds.push_back(with_choice(
      1, R"({"vector":{"name":"","vector":[1,2]},"top":5,"filter":{}})"));
  seeds.push_back(with_choice(
      2, R"({"searches":[{"query":[1],"limit":1},{"query":3},{}]})"));
  seeds.push_back(with_choice(3, R"({"searches":[{"vector":[1],"limit":1}]})"));
  return seeds;
}

}  // namespace

Target queries_target() {
  return {.name = "queries",
          .what =
              "JSON bodies of queries and searches, alone and in batches. "
              "Counts are within their limits; what is read is written and "
              "read back as the same.",
          .run = run,
          .seeds = seeds,
          .words = {"\"query\":[",
                    "\"nearest\":",
                    "\"vector\":[",
                    "\"limit\":",
                    "\"top\":",
                    "\"offset\":",
                    "\"score_threshold\":",
                    "\"params\":{",
                    "\"hnsw_ef\":",
                    "\"exact\":true",
                    "\"filter\":{\"must\":[",
                    "\"with_payload\":",
                    "\"with_vectors\":",
                    "\"searches\":[",
                    "\"using\":\"\"",
                    "\"prefetch\":[]",
                    "\"f32\":",
                    "18446744073709551615",
                    "4294967296",
                    "-1",
                    "1.5"}};
}

}  // namespace lamina::fuzz
