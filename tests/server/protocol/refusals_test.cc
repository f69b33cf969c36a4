#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "protocol/collection_json.h"
#include "protocol/http_error.h"
#include "protocol/payload_json.h"
#include "protocol/points_json.h"
#include "protocol/query_json.h"

// Bodies that have broken servers and clients elsewhere, at every door that
// JSON comes in by.
namespace lamina::protocol {
namespace {

// The outcome of every decoder on one body.
std::vector<Status> decode_everywhere(std::string_view body) {
  return {decode_create_collection(body).status(),
          decode_collection_list_reply(body).status(),
          decode_collection_info_reply("x", body).status(),
          decode_bool_reply(body).status(),
          decode_upsert(body).status(),
          decode_remove(body).status(),
          decode_update_reply(body, true).status(),
          decode_retrieve(body).status(),
          decode_records_reply(body).status(),
          decode_record_reply(body).status(),
          decode_scroll(body).status(),
          decode_scroll_reply(body).status(),
          decode_count(body).status(),
          decode_count_reply(body).status(),
          decode_query(body).status(),
          decode_hits_reply(body).status(),
          decode_query_batch(body).status(),
          decode_hits_batch_reply(body).status(),
          decode_set_payload(body).status(),
          decode_overwrite_payload(body).status(),
          decode_delete_payload(body).status(),
          decode_clear_payload(body).status(),
          decode_create_index(body).status(),
          decode_facet(body).status(),
          decode_facet_reply(body).status()};
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST_CASE("hostile bodies are invalid arguments at every door") {
  const std::vector<std::string> bodies = {
      "",
      "null",
      "[]",
      "\"x\"",
      "[0.0000000001e-2147483639]",
      repeated("[", 200'000),
      repeated("[", 500'000) + repeated("]", 500'000),
      repeated("{\"a\":", 100'000),
      repeated("{\"query\":", 100'000) + "1" + repeated("}", 100'000),
      "{\"points\":[{\"id\":1,\"vector\":[1,2,",
      "{\"result\":{\"points\":[{\"id\":1,\"score\":\"\\ud800\"}]}}",
      "{\"\xFF\":1}",
      std::string("{}\0{}", 5)};
  for (const std::string& body : bodies) {
    CAPTURE(body.substr(0, 60));
    for (const Status& status : decode_everywhere(body)) {
      CHECK(status.code() == StatusCode::invalid_argument);
      CHECK(status.message().size() < 500);
    }
  }
}

TEST_CASE("a body cut anywhere is refused, never half read") {
  const std::vector<float> vector = {0.5f, -1.25f};
  const Point point = {7, vector,
                       Payload::from_json(R"({"a":[1,"é"]})").value()};
  const std::string upsert = encode_upsert(std::span(&point, 1));
  for (std::size_t size = 0; size < upsert.size(); ++size) {
    CHECK_FALSE(decode_upsert(upsert.substr(0, size)).ok());
  }
  const std::string query = encode_query(vector, {});
  for (std::size_t size = 0; size < query.size(); ++size) {
    CHECK_FALSE(decode_query(query.substr(0, size)).ok());
  }
}

TEST_CASE("a body with one byte changed is read or refused, without harm") {
  const std::vector<float> vector = {0.5f, -1.25e-7f};
  const Point point = {7, vector,
                       Payload::from_json(R"({"a":[1,"é"]})").value()};
  const std::string upsert = encode_upsert(std::span(&point, 1));
  for (std::size_t i = 0; i < upsert.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = upsert;
      changed[i] = static_cast<char>(byte);
      const Result<PointBatch> batch = decode_upsert(changed);
      if (!batch.ok()) continue;
      // What was accepted is valid all through.
      CHECK(decode_upsert(encode_upsert(batch->points())).ok());
    }
  }
}

}  // namespace
}  // namespace lamina::protocol
