#include "router_fixture.h"

namespace lamina::server {
namespace {

TEST_CASE("one node is all there is, and says so") {
  Fixture fixture;
  fixture.create();
  CHECK(fixture.ask("GET", "/cluster") ==
        R"(200 {"result":{"status":"disabled"},"status":"ok")");
  for (const auto& [method, path] :
       {std::pair("POST", "/cluster/recover"),
        std::pair("DELETE", "/cluster/peer/1"),
        std::pair("POST", "/collections/c/cluster"),
        std::pair("PUT", "/collections/c/shards")}) {
    CAPTURE(path);
    const Reply reply = fixture.call(method, path, "{}");
    CHECK(reply.status == 405);
    CHECK(has(reply, "standalone mode"));
  }
}

TEST_CASE("there are never issues or optimizations") {
  Fixture fixture;
  fixture.create();
  CHECK(fixture.ask("GET", "/issues") ==
        R"(200 {"result":{"issues":[]},"status":"ok")");
  CHECK(fixture.ask("DELETE", "/issues") ==
        R"(200 {"result":true,"status":"ok")");
  CHECK(fixture.ask("GET", "/collections/c/optimizations") ==
        R"(200 {"result":{"running":[],"summary":{"queued_optimizations":0,)"
        R"("queued_segments":0,"queued_points":0,"idle_segments":1}},)"
        R"("status":"ok")");
  CHECK(fixture.call("GET", "/collections/d/optimizations").status == 404);
}

TEST_CASE("routes that Lamina does not have are refused by name") {
  Fixture fixture;
  for (const char* below :
       {"points/recommend", "points/discover", "points/query/groups",
        "points/search/groups", "points/search/matrix/pairs", "snapshots"}) {
    const std::string path = "/collections/c/" + std::string(below);
    CAPTURE(path);
    const Reply reply = fixture.call("POST", path, "{}");
    CHECK(reply.status == 400);
    CHECK(has(reply, "Wrong input: lamina does not support POST " + path));
  }
}

TEST_CASE("metrics count replies by route, and show no name of a path") {
  Fixture fixture;
  fixture.fill();
  fixture.call("GET", "/collections/secret");
  fixture.call("GET", "/collections/c/points/secret");
  const Reply reply = fixture.call("GET", "/metrics");
  CHECK(reply.status == 200);
  CHECK(reply.content_type.starts_with("text/plain; version=0.0.4"));
  CHECK(has(reply, "lamina_collections 1\n"));
  CHECK(has(reply, "collection_points{id=\"c\"} 3\n"));
  CHECK(has(reply,
            "rest_responses_total{method=\"GET\",endpoint="
            "\"/collections/{c}\",status=\"4xx\"} 1\n"));
  CHECK(has(reply,
            "rest_responses_total{method=\"PUT\",endpoint="
            "\"/collections/{c}/points\",status=\"2xx\"} 1\n"));
  CHECK(has(reply, "memory_resident_bytes "));
  CHECK_FALSE(has(reply, "secret"));
}

TEST_CASE("telemetry names program, version and the number of collections") {
  Fixture fixture;
  fixture.create();
  const Reply reply = fixture.call("GET", "/telemetry");
  CHECK(has(reply, R"("app":{"name":"lamina","version":")"));
  CHECK(has(reply, R"("number_of_collections":1)"));
}

TEST_CASE("echo sends the body back as it came") {
  const std::string bytes("\0\xff{", 3);
  CHECK(Fixture().call("POST", "/v1/echo", bytes).body == bytes);
}

TEST_CASE("times of the stages come only when they are asked for") {
  Fixture fixture;
  fixture.fill();
  Request request;
  request.method = "POST";
  request.path = "/collections/c/points/query";
  request.body = R"({"query":[1,0]})";
  CHECK(header(fixture.handle(request), "Server-Timing").empty());
  request.wants_timing = true;
  const std::string timing = header(fixture.handle(request), "Server-Timing");
  std::size_t position = 0;
  for (const char* stage :
       {"parse;dur=", "engine;dur=", "encode;dur=", "total;dur="}) {
    position = timing.find(stage, position);
    CHECK(position != std::string::npos);
  }
  CHECK(timing.find('-') == std::string::npos);
}

}  // namespace
}  // namespace lamina::server
