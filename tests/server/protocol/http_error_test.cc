#include "protocol/http_error.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace lamina::protocol {
namespace {

constexpr StatusCode kErrors[] = {
    StatusCode::invalid_argument, StatusCode::not_found,
    StatusCode::already_exists,   StatusCode::resource_exhausted,
    StatusCode::unavailable,      StatusCode::deadline_exceeded,
    StatusCode::cancelled,        StatusCode::data_loss,
    StatusCode::io_error,         StatusCode::internal};

constexpr ErrorOrigin kOrigins[] = {ErrorOrigin::request_body,
                                    ErrorOrigin::query_parameters,
                                    ErrorOrigin::engine};

// Over the wire and back.
Status travel(const Status& status, ErrorOrigin origin) {
  const HttpError error = to_http(status, origin);
  return from_http(error.status, to_string(status.code()),
                   encode_error_reply(error.text, 0.001));
}

std::string text_of(const Status& status, ErrorOrigin origin) {
  const HttpError error = to_http(status, origin);
  return std::to_string(error.status) + " " + error.text;
}

TEST_CASE("code, field and message survive the wire") {
  const std::vector<std::string> messages = {
      "",
      "Collection `x` doesn't exist!",
      "Wrong input: Wrong input: twice",
      "Format error in JSON body: of mine",
      "Validation error in JSON body: [a: b]",
      "[brackets] and: colons]",
      "quotes \" \\ and\nlines, é😀 \x01"};
  for (const ErrorOrigin origin : kOrigins) {
    for (const std::string& message : messages) {
      CAPTURE(message);
      for (const StatusCode code : kErrors) {
        const Status status(code, message);
        CHECK(travel(status, origin) == status);
      }
      for (const char* field :
           {"dimension", "top_k", "offset", "limit", "batch.vectors",
            "hnsw_config.ef_construct", "timeout", "searches[3].x"}) {
        const Status status = Status::invalid_field(field, message);
        CHECK(travel(status, origin) == status);
      }
    }
  }
}

TEST_CASE("status and text are those of the contract") {
  CHECK(text_of(Status::invalid_argument("x"), ErrorOrigin::engine) ==
        "400 Wrong input: x");
  CHECK(text_of(Status::invalid_argument("x"), ErrorOrigin::request_body) ==
        "400 Format error in JSON body: x");
  CHECK(text_of(Status::invalid_argument("x"), ErrorOrigin::query_parameters) ==
        "400 Deserialize error in query parameters: x");
  CHECK(text_of(Status::not_found("x"), ErrorOrigin::engine) ==
        "404 Not found: x");
  CHECK(text_of(Status::already_exists("x"), ErrorOrigin::engine) ==
        "409 Wrong input: x");
  CHECK(text_of(Status::resource_exhausted("x"), ErrorOrigin::engine) ==
        "507 Insufficient storage: x");
  CHECK(text_of(Status::unavailable("x"), ErrorOrigin::engine) ==
        "503 Shard temporarily unavailable: x");
  CHECK(text_of(Status::deadline_exceeded("x"), ErrorOrigin::engine) ==
        "408 Timeout error: x");
  for (const StatusCode code : {StatusCode::cancelled, StatusCode::data_loss,
                                StatusCode::io_error, StatusCode::internal}) {
    CHECK(text_of(Status(code, "x"), ErrorOrigin::engine) ==
          "500 Service internal error: x");
  }
}

TEST_CASE("a field out of range stands at its JSON path") {
  const auto body_text = [](const char* field, const char* detail) {
    return text_of(Status::invalid_field(field, detail),
                   ErrorOrigin::request_body);
  };
  CHECK(body_text("top_k", "value 0 invalid, must be 1 or larger") ==
        "422 Validation error in JSON body: [internal.limit: value 0 invalid, "
        "must be 1 or larger]");
  CHECK(body_text("limit", "x") ==
        "422 Validation error in JSON body: [limit: x]");
  CHECK(
      body_text("dimension", "value 65537 invalid, must be from 1 to 65536") ==
      "422 Validation error in JSON body: [vectors.size: value 65537 "
      "invalid, must be from 1 to 65536]");
  CHECK(body_text("offset", "x") ==
        "422 Validation error in JSON body: [internal.offset: x]");
  CHECK(text_of(Status::invalid_field("timeout", "x"),
                ErrorOrigin::query_parameters) ==
        "422 Validation error in query parameters: [timeout: x]");
}

TEST_CASE("an error reply has the envelope") {
  CHECK(encode_error_reply("Not found: \"x\"", 0.5) ==
        R"({"status":{"error":"Not found: \"x\""},"time":0.5})");
}

TEST_CASE("without the header the HTTP status tells the code") {
  const auto code_of = [](int http_status) {
    return from_http(http_status, "", R"({"status":{"error":"x"}})").code();
  };
  CHECK(code_of(400) == StatusCode::invalid_argument);
  CHECK(code_of(401) == StatusCode::invalid_argument);
  CHECK(code_of(404) == StatusCode::not_found);
  CHECK(code_of(405) == StatusCode::invalid_argument);
  CHECK(code_of(408) == StatusCode::deadline_exceeded);
  CHECK(code_of(409) == StatusCode::already_exists);
  CHECK(code_of(413) == StatusCode::resource_exhausted);
  CHECK(code_of(422) == StatusCode::invalid_argument);
  CHECK(code_of(429) == StatusCode::resource_exhausted);
  CHECK(code_of(500) == StatusCode::internal);
  CHECK(code_of(502) == StatusCode::unavailable);
  CHECK(code_of(503) == StatusCode::unavailable);
  CHECK(code_of(504) == StatusCode::deadline_exceeded);
  CHECK(code_of(507) == StatusCode::resource_exhausted);
  CHECK(code_of(302) == StatusCode::internal);
  CHECK(from_http(404, "no such code", "").code() == StatusCode::not_found);
  CHECK(from_http(404, "ok", "").code() == StatusCode::not_found);
}

TEST_CASE("an error of another server of the protocol is understood") {
  CHECK(from_http(404, "",
                  R"({"status":{"error":"Not found: Collection `x` doesn't )"
                  R"(exist!"},"time":0.0,"result":null})") ==
        Status::not_found("Collection `x` doesn't exist!"));
  CHECK(from_http(
            422, "",
            R"({"status":{"error":"Validation error in JSON body: )"
            R"([internal.limit: value 0 invalid, must be 1 or larger]"}})") ==
        Status::invalid_field("top_k", "value 0 invalid, must be 1 or larger"));
}

TEST_CASE("a body that is not the envelope is kept, cut") {
  CHECK(from_http(401, "", "Invalid API key or JWT").message() ==
        "HTTP status 401: Invalid API key or JWT");
  CHECK(from_http(502, "", "").message() == "HTTP status 502");
  const Status cut = from_http(502, "", std::string(100'000, 'x'));
  CHECK(cut.message() == "HTTP status 502: " + std::string(1024, 'x'));
  for (const char* body :
       {"{}", "[]", R"({"status":"ok"})", R"({"status":{"error":5}})",
        "{\"status\":{}", "[0.0000000001e-2147483639]"}) {
    CAPTURE(body);
    CHECK(from_http(500, "internal", body).message() ==
          "HTTP status 500: " + std::string(body));
  }
  CHECK(from_http(500, "", std::string(200'000, '[')).code() ==
        StatusCode::internal);
}

}  // namespace
}  // namespace lamina::protocol
