// Every route that takes a body, and every kind of bad input: a documented
// status, and nothing changed.

#include <string>
#include <vector>

#include "protocol/media_type.h"
#include "route_table.h"
#include "router_fixture.h"

namespace lamina::server {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

// Bodies that no route takes.
std::vector<std::string> malformed_bodies() {
  return {"",
          " ",
          "{",
          "}",
          "[]",
          "1",
          "\"text\"",
          "null",
          "{}x",
          "{'a':1}",
          R"({"a":1,})",
          R"({"a":NaN})",
          R"({"a":01})",
          R"({"no such field":1})",
          R"({"points":[],"points":[]})",
          "\xEF\xBB\xBF{}",
          "{\"a\":\"\xFF\"}",
          "{\"a\":\"\xC0\x80\"}",
          "{\"a\":\"\xED\xA0\x80\"}",
          R"({"a":"\ud800"})",
          std::string("{\0}", 3),
          "[0.0000000001e-2147483639]",
          R"({"query":[0.0000000001e-2147483639,1e400]})",
          repeated("[", 200'000),
          repeated("[", 100'000) + repeated("]", 100'000),
          repeated(R"({"a":)", 100'000)};
}

bool takes_body(const Route& route) {
  const bool may_have_one = route.method == "POST" || route.method == "PUT" ||
                            route.method == "PATCH";
  return may_have_one && !route.pattern.ends_with("/noop") &&
         !route.pattern.ends_with("/echo") &&
         !route.pattern.ends_with("/flush");
}

std::string with_name(std::string_view pattern, std::string_view name) {
  std::string path(pattern);
  const std::size_t place = path.find("{c}");
  if (place != std::string::npos) path.replace(place, 3, name);
  return path;
}

// The body's type, such that routes of bytes look at it at all.
std::string_view type_for(const Route& route) {
  const bool is_bytes =
      route.pattern == "/v1/collections/{c}/query" ||
      (route.method == "PUT" && route.pattern == "/v1/collections/{c}/points");
  return is_bytes ? protocol::kTensorsMedia : protocol::kJsonMedia;
}

Reply send(Fixture* fixture, const Route& route, std::string_view name,
           std::string_view query, std::string_view body,
           std::string_view durability = "") {
  const std::string path = with_name(route.pattern, name);
  Request request;
  request.method = route.method;
  request.path = path;
  request.query = query;
  request.body = body;
  request.durability = durability;
  request.content_type = type_for(route);
  return fixture->handle(request);
}

// All that a request could have changed.
std::string state_of(Fixture* fixture) {
  std::string state;
  for (const char* path : {"/collections", "/aliases", "/collections/c"}) {
    state += fixture->ask("GET", path) + "\n";
  }
  return state + fixture->ask("POST", "/collections/c/points/scroll",
                              R"({"limit":100,"with_vector":true})");
}

TEST_CASE("no route takes a malformed body, and none changes anything") {
  Fixture fixture;
  fixture.fill();
  const std::string before = state_of(&fixture);
  for (const Route& route : routes()) {
    if (!takes_body(route)) continue;
    for (const std::string& body : malformed_bodies()) {
      const Reply reply = send(&fixture, route, "c", "", body);
      INFO(route.method << " " << route.pattern << " " << body.substr(0, 40));
      CHECK(reply.status >= 400);
      CHECK(reply.status < 500);
      CHECK_FALSE(header(reply, "Lamina-Status").empty());
      CHECK(reply.body.size() < 1'000);
    }
  }
  CHECK(state_of(&fixture) == before);
}

TEST_CASE("no route takes a malformed name, parameter or header") {
  Fixture fixture;
  fixture.fill();
  const std::string before = state_of(&fixture);
  for (const Route& route : routes()) {
    INFO(route.method << " " << route.pattern);
    if (route.pattern.find("{c}") != std::string_view::npos) {
      const int status = send(&fixture, route, "%zz", "", "{}").status;
      CHECK(status == 400);
    }
    if (route.parameters == ParameterSet::write) {
      CHECK(send(&fixture, route, "c", "wait=maybe", "{}").status == 400);
      CHECK(send(&fixture, route, "c", "ordering=odd", "{}").status == 400);
      CHECK(send(&fixture, route, "c", "", "{}", "perhaps").status == 400);
    }
    if (route.parameters == ParameterSet::read) {
      CHECK(send(&fixture, route, "c", "consistency=x", "{}").status == 400);
      CHECK(send(&fixture, route, "c", "consistency=0", "{}").status == 422);
    }
    if (route.parameters != ParameterSet::none) {
      CHECK(send(&fixture, route, "c", "timeout=0", "{}").status == 422);
      CHECK(send(&fixture, route, "c", "timeout=-1", "{}").status == 400);
      CHECK(send(&fixture, route, "c", "timeout=%zz", "{}").status == 400);
    }
  }
  CHECK(state_of(&fixture) == before);
}

// What is wrong with a body that is well formed, and the words that name it.
struct Bad {
  std::string_view method;
  std::string_view below;  // Behind /collections/c.
  std::string_view body;
  int status;
  std::string_view named;
};

constexpr Bad kBad[] = {
    {"PUT", "x", R"({"vectors":{"size":0,"distance":"Dot"}})", 422,
     "vectors.size"},
    {"PUT", "x", R"({"vectors":{"size":-1,"distance":"Dot"}})", 400,
     "vectors.size"},
    {"PUT", "x", R"({"vectors":{"size":1.5,"distance":"Dot"}})", 400,
     "vectors.size"},
    {"PUT", "x", R"({"vectors":{"size":65537,"distance":"Dot"}})", 422,
     "vectors.size"},
    {"PUT", "x", R"({"vectors":{"size":4294967296,"distance":"Dot"}})", 422,
     "vectors.size"},
    {"PUT", "x", R"({"vectors":{"size":4611686018427387904,"distance":"Dot"}})",
     422, "vectors.size"},
    {"PUT", "x", R"({"vectors":{"size":2,"distance":"dot"}})", 400,
     "vectors.distance"},
    {"PUT", "x",
     R"({"vectors":{"size":2,"distance":"Dot"},"replication_factor":0})", 422,
     "replication_factor"},
    {"PUT", "x",
     R"({"vectors":{"size":2,"distance":"Dot"},)"
     R"("optimizers_config":{"deleted_threshold":1.5}})",
     422, "optimizers_config.deleted_threshold"},
    {"PUT", "x",
     R"({"vectors":{"size":2,"distance":"Dot"},)"
     R"("wal_config":{"wal_capacity_mb":0}})",
     422, "wal_capacity_mb"},
    {"PUT", "/points", R"({"points":[{"id":1,"vector":[1,2,3]}]})", 400,
     "points[0].vector"},
    {"PUT", "/points", R"({"points":[{"id":1,"vector":[]}]})", 400,
     "points[0].vector"},
    {"PUT", "/points", R"({"points":[{"id":1,"vector":[1,1e39]}]})", 400,
     "points[0].vector[1]"},
    {"PUT", "/points", R"({"points":[{"id":1,"vector":[1,null]}]})", 400,
     "points[0].vector[1]"},
    {"PUT", "/points",
     R"({"points":[{"id":18446744073709551616,"vector":[]}]})", 400,
     "points[0].id"},
    {"PUT", "/points", R"({"points":[{"id":1.0,"vector":[1,2]}]})", 400,
     "points[0].id"},
    {"PUT", "/points", R"({"points":[{"id":1,"vector":[1,2],"payload":[]}]})",
     400, "points[0].payload"},
    {"PUT", "/points", R"({"points":[]})", 400, "points"},
    {"POST", "/points", R"({"ids":[true]})", 400, "ids[0]"},
    {"POST", "/points", R"({"ids":[1],"with_payload":5})", 400, "with_payload"},
    {"POST", "/points/delete", R"({"points":[]})", 400, "points"},
    {"POST", "/points/delete", R"({"filter":{"must":[{"key":"a"}]}})", 400,
     "filter.must[0]"},
    {"POST", "/points/scroll", R"({"limit":0})", 422, "limit"},
    {"POST", "/points/scroll", R"({"limit":"1"})", 400, "limit"},
    {"POST", "/points/scroll", R"({"offset":-1})", 400, "offset"},
    {"POST", "/points/count", R"({"filter":{"key":"a"}})", 400, "filter"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":0})", 422, "limit"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":-1})", 400, "limit"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":1.5})", 400, "limit"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":1e3})", 400, "limit"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":"10"})", 400, "limit"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":[10]})", 400, "limit"},
    {"POST", "/points/query", R"({"query":[1,0],"limit":18446744073709551616})",
     400, "limit"},
    {"POST", "/points/query", R"({"query":[1]})", 400, "dimension"},
    {"POST", "/points/query", R"({"query":[1,1e39]})", 400, "query[1]"},
    {"POST", "/points/query", R"({"query":{"nearest":"x"}})", 400,
     "query.nearest"},
    {"POST", "/points/query", R"({"query":[1,0],"score_threshold":"a"})", 400,
     "score_threshold"},
    {"POST", "/points/query", R"({"query":[1,0],"params":{"hnsw_ef":0}})", 422,
     "hnsw_ef"},
    {"POST", "/points/query/batch", R"({"searches":[{"query":[1,0]},{"q":1}]})",
     400, "searches[1]"},
    {"POST", "/points/search", R"({"vector":[1,0],"limit":0})", 422, "limit"},
    {"POST", "/points/search/batch", R"({"searches":[{"limit":1}]})", 400,
     "searches[0]"},
    {"POST", "/points/payload", R"({"points":[1]})", 400, "payload"},
    {"POST", "/points/payload", R"({"payload":{"a":1}})", 400,
     "Either list of point ids or filter must be provided"},
    {"POST", "/points/payload/delete", R"({"points":[1],"keys":["a..b"]})", 4,
     "keys"},
    {"PUT", "/points/payload", R"({"payload":1,"points":[1]})", 400, "payload"},
    {"PUT", "/points/vectors", R"({"points":[{"id":1}]})", 400, "points[0]"},
    {"PUT", "/index", R"({"field_name":"a","field_schema":"geo"})", 400,
     "field_schema"},
    {"PUT", "/index", R"({"field_name":"","field_schema":"keyword"})", 4,
     "key"},
    {"POST", "/facet", R"({"key":"a","limit":0})", 422, "limit"},
    {"POST", "/facet", R"({"key":"a[","limit":1})", 4, "key"},
    {"PATCH", "", R"({"metadata":[]})", 400, "metadata"},
};

TEST_CASE("what is wrong in a body is named, and nothing is changed") {
  Fixture fixture;
  fixture.fill();
  const std::string before = state_of(&fixture);
  for (const Bad& bad : kBad) {
    // "x" stands for another collection.
    const std::string path =
        "/collections/" +
        (bad.below == "x" ? std::string("x") : "c" + std::string(bad.below));
    const Reply reply = fixture.call(bad.method, path, bad.body);
    INFO(bad.method << " " << path << " " << bad.body << " gave "
                    << reply.status << " " << reply.body);
    // 4: 400 or 422, as the engine has it.
    CHECK((bad.status == 4 ? reply.status / 100 == 4
                           : reply.status == bad.status));
    CHECK(has(reply, bad.named));
  }
  CHECK(state_of(&fixture) == before);
}

TEST_CASE("a limit beyond all points is no more than there is") {
  Fixture fixture;
  fixture.fill();
  const std::string huge = R"("limit":18446744073709551615})";
  CHECK(has(fixture.call("POST", "/collections/c/points/query",
                         R"({"query":[1,0],)" + huge),
            R"("id":1)"));
  CHECK(has(fixture.call("POST", "/collections/c/points/search",
                         R"({"vector":[1,0],)" + huge),
            R"("id":1)"));
  CHECK(has(fixture.call("POST", "/collections/c/points/scroll", "{" + huge),
            R"("next_page_offset":null)"));
  CHECK(fixture.call("POST", "/collections/c/facet", R"({"key":"a",)" + huge)
            .status == 200);
}

}  // namespace
}  // namespace lamina::server
