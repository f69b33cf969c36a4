#include "log.h"

#include "request_log.h"
#include "router_fixture.h"
#include "types/json_reader.h"

namespace lamina::server {
namespace {

TEST_CASE(
    "log: a line is one line, whatever is in it, and reads back as JSON") {
  const std::string nasty = "a\"b\nc\x1b[31m\xff d";
  const std::string json = log_line(LogFormat::json, LogLevel::warning, "slow",
                                    {{"text", std::string_view(nasty)},
                                     {"count", std::uint64_t{7}},
                                     {"ms", 1.5}});
  const auto document = JsonDocument::parse(json);
  REQUIRE(document.ok());
  CHECK(document->root().find("level")->string() == "warning");
  CHECK(document->root().find("text")->string().starts_with("a\"b\nc\x1b"));
  CHECK(json.find(R"("count":7,"ms":1.5)") != std::string::npos);

  const std::string text = log_line(
      LogFormat::text, LogLevel::info, "started",
      {{"text", std::string_view(nasty)}, {"count", std::uint64_t{7}}});
  CHECK(text.find(R"(Z info started text="a\"b\nc)") == 23);
  CHECK(text.ends_with(" count=7"));
  for (const std::string& line : {json, text}) {
    for (const char c : line) CHECK(static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST_CASE("log: levels name what is written") {
  Log log;
  CHECK(log.writes(LogLevel::info));
  CHECK_FALSE(log.writes(LogLevel::debug));
  log.set_level(*log_level_named("error"));
  CHECK(log.writes(LogLevel::error));
  CHECK_FALSE(log.writes(LogLevel::warning));
  CHECK_FALSE(log_level_named("loud").has_value());
}

TEST_CASE("log: ids of requests are taken only when they are well-formed") {
  Request request;
  for (const char* good : {"a", "A-1_b.c", "0123456789"}) {
    request.request_id = good;
    CHECK(request_id_of(request) == good);
  }
  const std::string long_id(129, 'a');
  for (const std::string& bad :
       {std::string("a b"), std::string("a\"b"), std::string("a/b"), long_id}) {
    request.request_id = bad;
    CHECK(request_id_of(request).empty());
  }
}

TEST_CASE("log: a trace is told by its traceparent") {
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  Request request;
  for (const std::string& good :
       {"00-" + trace + "-00f067aa0ba902b7-01",
        "01-" + trace + "-00f067aa0ba902b7-01-more"}) {
    request.traceparent = good;
    CHECK(trace_id_of(request) == trace);
  }
  for (const std::string& bad :
       {"00-" + trace + "-00f067aa0ba902b7-01-more",
        "ff-" + trace + "-00f067aa0ba902b7-01",
        "00-" + std::string(32, '0') + "-00f067aa0ba902b7-01",
        "00-" + std::string(32, 'A') + "-00f067aa0ba902b7-01",
        "00-" + trace + "-00f067aa0ba902b7-0", trace, std::string()}) {
    CAPTURE(bad);
    request.traceparent = bad;
    CHECK(trace_id_of(request).empty());
  }
}

TEST_CASE("an answer to what failed below names no file") {
  class Failing : public Store {
    Result<std::shared_ptr<Collection>> create_collection(
        std::string_view, const CollectionOptions&) override {
      return Status::io_error("/srv/data/c: write: no");
    }
    Result<std::shared_ptr<Collection>> open_collection(
        std::string_view) override {
      return Status::data_loss("/srv/data/c/wal-1: offset 7");
    }
    Result<std::vector<std::string>> list_collections() const override {
      return Status::io_error("/srv/data: read: no");
    }
    Result<bool> drop_collection(std::string_view) override {
      return Status::resource_exhausted("/srv/data: no room");
    }
  };
  Failing store;
  ServerState state;
  state.log.set_level(LogLevel::error);
  const Router router(store, state);
  for (const auto& [method, path, status] :
       {std::tuple("GET", "/collections", 500),
        std::tuple("GET", "/collections/c", 500),
        std::tuple("DELETE", "/collections/c", 507),
        std::tuple("POST", "/v1/collections/c/flush", 500)}) {
    CAPTURE(path);
    Request request;
    request.method = method;
    request.path = path;
    const Reply reply = router.handle(request);
    CHECK(reply.status == status);
    CHECK_FALSE(has(reply, "srv"));
    CHECK(has(reply, "the server's log tells more"));
  }
}

}  // namespace
}  // namespace lamina::server
