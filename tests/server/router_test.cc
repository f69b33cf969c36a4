#include "router.h"

#include <doctest/doctest.h>

#include <new>
#include <string>

#include "router_fixture.h"

namespace lamina::server {
namespace {

TEST_CASE("the root names title and version without an envelope") {
  const Reply reply = Fixture().call("GET", "/");
  CHECK(reply.status == 200);
  CHECK(
      reply.body ==
      R"json({"title":"lamina - vector search engine (Qdrant REST subset)",)json"
      R"json("version":"1.18.0"})json");
}

TEST_CASE("health answers in plain text, also to HEAD") {
  Fixture fixture;
  for (const char* path : {"/healthz", "/livez", "/readyz"}) {
    CAPTURE(path);
    for (const char* method : {"GET", "HEAD"}) {
      const Reply reply = fixture.call(method, path);
      CHECK(reply.status == 200);
      CHECK(reply.content_type == "text/plain; charset=utf-8");
    }
  }
  CHECK(fixture.call("GET", "/healthz").body == "healthz check passed");
  CHECK(fixture.call("GET", "/readyz").body == "all shards are ready");
}

TEST_CASE("noop does nothing, by GET and POST") {
  CHECK(Fixture().call("GET", "/v1/noop").body == "{}");
  CHECK(Fixture().call("POST", "/v1/noop", "not JSON").body == "{}");
}

TEST_CASE("an unknown path is 404 in the envelope") {
  for (const char* path :
       {"/nowhere", "/collections/c/points/1/2/3/4/5/6/7", "/%zz"}) {
    const Reply reply = Fixture().call("GET", path);
    CAPTURE(path);
    CHECK(reply.status == 404);
    CHECK(has(reply, R"({"status":{"error":"Not found: )"));
    CHECK(header(reply, "Lamina-Status") == "not_found");
  }
}

TEST_CASE("another method on a known path is 405 and names those allowed") {
  const Reply post = Fixture().call("POST", "/collections/c");
  CHECK(post.status == 405);
  CHECK(header(post, "Allow") == "GET, HEAD, PUT, PATCH, DELETE");
  const Reply options = Fixture().call("OPTIONS", "/healthz");
  CHECK(options.status == 204);
  CHECK(header(options, "Allow") == "GET, HEAD");
  CHECK(Fixture().call("BREW", "/v1/noop").status == 405);
}

TEST_CASE("collections are created, listed, found and dropped") {
  Fixture fixture;
  fixture.create("b");
  fixture.create("a%20%C3%A4");
  CHECK(result_of(fixture.call("GET", "/collections")) ==
        "{\"result\":{\"collections\":[{\"name\":\"a \xc3\xa4\"},"
        "{\"name\":\"b\"}]},\"status\":\"ok\"");
  CHECK(has(fixture.call("GET", "/collections/b/exists"), R"("exists":true)"));
  CHECK(has(fixture.call("GET", "/collections/z/exists"), R"("exists":false)"));
  CHECK(has(fixture.call("GET", "/collections/b"), R"("points_count":0)"));
  CHECK(result_of(fixture.call("DELETE", "/collections/b")) ==
        R"({"result":true,"status":"ok")");
}

TEST_CASE("dropping an unknown collection is 200 and false") {
  const Reply reply = Fixture().call("DELETE", "/collections/nothing");
  CHECK(reply.status == 200);
  CHECK(result_of(reply) == R"({"result":false,"status":"ok")");
}

TEST_CASE("a collection that is there is 409, one that is not 404") {
  Fixture fixture;
  fixture.create();
  const Reply again = fixture.call(
      "PUT", "/collections/c", R"({"vectors":{"size":2,"distance":"Dot"}})");
  CHECK(again.status == 409);
  CHECK(header(again, "Lamina-Status") == "already_exists");
  const Reply missing = fixture.call("GET", "/collections/missing");
  CHECK(missing.status == 404);
  CHECK(has(missing, "Not found: Collection `missing` doesn't exist!"));
}

TEST_CASE("slashes that are doubled or trailing change nothing") {
  Fixture fixture;
  fixture.fill();
  CHECK(fixture.call("POST", "//collections/c//points/count/", "{}").status ==
        200);
}

TEST_CASE("a malformed escape in the path is 400") {
  CHECK(Fixture().call("GET", "/collections/%zz").status == 400);
}

TEST_CASE("writes say whether they waited, and whether they are durable") {
  Fixture fixture;
  fixture.create();
  const std::string_view body = R"({"points":[{"id":1,"vector":[1,0]}]})";
  const Reply quick = fixture.call("PUT", "/collections/c/points", body);
  CHECK(
      result_of(quick) ==
      R"({"result":{"operation_id":1,"status":"acknowledged"},"status":"ok")");
  CHECK_FALSE(header(quick, "Lamina-Durable").empty());
  const Reply waited = fixture.call(
      "POST", "/collections/c/points/delete?wait=true", R"({"points":[1]})");
  CHECK(result_of(waited) ==
        R"({"result":{"operation_id":2,"status":"completed"},"status":"ok")");
}

TEST_CASE("Lamina-Durability is os or fsync") {
  Fixture fixture;
  fixture.create();
  const std::string_view body = R"({"points":[{"id":1,"vector":[1,0]}]})";
  const auto write = [&](std::string_view durability) {
    return fixture.call("PUT", "/collections/c/points", body, durability)
        .status;
  };
  CHECK(write("os") == 200);
  CHECK(write("fsync") == 200);
  CHECK(write("perhaps") == 400);
}

TEST_CASE("points are read by id") {
  Fixture fixture;
  fixture.fill();
  CHECK(result_of(fixture.call("GET", "/collections/c/points/1")) ==
        R"({"result":{"id":1,"payload":{"a":1},"vector":[1.0,0.0]},)"
        R"("status":"ok")");
  const Reply missing = fixture.call("GET", "/collections/c/points/9");
  CHECK(missing.status == 404);
  CHECK(has(missing, "Not found: Point with id 9 does not exists!"));
  const Reply odd = fixture.call("GET", "/collections/c/points/abc");
  CHECK(odd.status == 400);
  CHECK(has(odd, R"(Wrong input: Can not recognize \"abc\" as point id)"));
  CHECK(result_of(fixture.call("POST", "/collections/c/points",
                               R"({"ids":[3,9,1],"with_vector":false})")) ==
        R"({"result":[{"id":3},{"id":1}],"status":"ok")");
}

TEST_CASE("queries by vector, by id, and by nothing") {
  Fixture fixture;
  fixture.fill();
  const auto query = [&](std::string_view body) {
    return result_of(fixture.call("POST", "/collections/c/points/query", body));
  };
  CHECK(query(R"({"query":[1,0],"limit":2})") ==
        R"({"result":{"points":[{"id":3,"version":1,"score":3.0},)"
        R"({"id":2,"version":1,"score":2.0}]},"status":"ok")");
  CHECK(query(R"({"query":3,"limit":1})") ==
        R"({"result":{"points":[{"id":2,"version":1,"score":6.0}]},)"
        R"("status":"ok")");
  CHECK(query(R"({"limit":1,"offset":1,"with_payload":true})") ==
        R"({"result":{"points":[{"id":2,"version":0,"score":0.0,)"
        R"("payload":{}}]},"status":"ok")");
  CHECK(query(R"({"offset":18446744073709551615,"limit":1})").find("422") ==
        std::string::npos);
}

TEST_CASE("a batch answers each query, with equal options or not") {
  Fixture fixture;
  fixture.fill();
  const auto batch = [&](std::string_view body) {
    return result_of(
        fixture.call("POST", "/collections/c/points/query/batch", body));
  };
  CHECK(batch(R"({"searches":[]})") == R"({"result":[],"status":"ok")");
  const std::string first = R"({"points":[{"id":3,"version":1,"score":3.0}]})";
  CHECK(batch(R"({"searches":[{"query":[1,0],"limit":1},)"
              R"({"query":[-1,0],"limit":1}]})") ==
        R"({"result":[)" + first +
            R"(,{"points":[{"id":1,"version":1,"score":-1.0}]}],)"
            R"("status":"ok")");
  CHECK(batch(R"({"searches":[{"query":[1,0],"limit":1},)"
              R"({"query":3,"limit":1}]})") ==
        R"({"result":[)" + first +
            R"(,{"points":[{"id":2,"version":1,"score":6.0}]}],)"
            R"("status":"ok")");
}

TEST_CASE("scroll and count walk all points") {
  Fixture fixture;
  fixture.fill();
  CHECK(result_of(fixture.call("POST", "/collections/c/points/scroll",
                               R"({"limit":1,"offset":2})")) ==
        R"({"result":{"points":[{"id":2,"payload":{}}],)"
        R"("next_page_offset":3},"status":"ok")");
  CHECK(result_of(fixture.call("POST", "/collections/c/points/count", "{}")) ==
        R"({"result":{"count":3},"status":"ok")");
}

TEST_CASE("flush answers true") {
  Fixture fixture;
  fixture.create();
  CHECK(result_of(fixture.call("POST", "/v1/collections/c/flush")) ==
        R"({"result":true,"status":"ok")");
}

TEST_CASE("where input is wrong decides the words of the error") {
  Fixture fixture;
  fixture.fill();
  const auto error = [&](std::string_view target, std::string_view body) {
    const Reply reply = fixture.call("POST", target, body);
    return std::to_string(reply.status) + " " + reply.body;
  };
  const std::string query = "/collections/c/points/query";
  CHECK(error(query, "{")
            .starts_with(
                R"(400 {"status":{"error":"Format error in JSON body: )"));
  CHECK(
      error(query, R"({"query":[1,0],"limit":0})")
          .starts_with(R"(422 {"status":{"error":"Validation error in JSON )"
                       R"(body: [internal.limit: value 0 invalid, must be 1)"));
  CHECK(error(query, R"({"query":[1,0,0]})")
            .starts_with(R"(400 {"status":{"error":"Wrong input: )"));
  CHECK(
      error(query + "?timeout=0", R"({"query":[1,0]})")
          .starts_with(R"(422 {"status":{"error":"Validation error in query )"
                       R"(parameters: [timeout: value 0 invalid, must be 1)"));
  CHECK(
      error(query + "?timeout=x", R"({"query":[1,0]})")
          .starts_with(R"(400 {"status":{"error":"Deserialize error in query )"
                       R"(parameters: )"));
}

// A store that fails in a way no Status tells of.
class ThrowingStore : public Store {
 public:
  Result<std::shared_ptr<Collection>> create_collection(
      std::string_view, const CollectionOptions&) override {
    throw std::bad_alloc();
  }
  Result<std::shared_ptr<Collection>> open_collection(
      std::string_view) override {
    throw std::bad_alloc();
  }
  Result<std::vector<std::string>> list_collections() const override {
    throw std::bad_alloc();
  }
  Result<bool> drop_collection(std::string_view) override {
    throw std::bad_alloc();
  }
};

TEST_CASE("an exception becomes a 500 that does not tell what it says") {
  ThrowingStore store;
  Request request;
  request.method = "GET";
  request.path = "/collections";
  const Reply reply = Router(store).handle(request);
  CHECK(reply.status == 500);
  CHECK(has(reply, "Service internal error: "));
  CHECK_FALSE(has(reply, std::bad_alloc().what()));
}

}  // namespace
}  // namespace lamina::server
