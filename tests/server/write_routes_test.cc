#include <barrier>
#include <thread>
#include <vector>

#include "router_fixture.h"

namespace lamina::server {
namespace {

std::string vector_of(Fixture* fixture, std::string_view id) {
  const Reply reply =
      fixture->call("GET", "/collections/c/points/" + std::string(id));
  if (reply.status != 200) return std::to_string(reply.status);
  const std::size_t begin = reply.body.find("\"vector\":") + 9;
  return reply.body.substr(begin, reply.body.find(']') + 1 - begin);
}

std::string upsert(Fixture* fixture, std::string_view body) {
  return fixture->ask("PUT", "/collections/c/points?wait=true", body);
}

std::string completed(int operation) {
  return R"(200 {"result":{"operation_id":)" + std::to_string(operation) +
         R"(,"status":"completed"},"status":"ok")";
}

TEST_CASE("insert_only leaves points that are there") {
  Fixture fixture;
  fixture.fill();
  CHECK(upsert(&fixture,
               R"({"points":[{"id":1,"vector":[9,9]},{"id":4,"vector":[4,0]}],)"
               R"("update_mode":"insert_only"})") == completed(2));
  CHECK(vector_of(&fixture, "1") == "[1.0,0.0]");
  CHECK(vector_of(&fixture, "4") == "[4.0,0.0]");
}

TEST_CASE("update_only leaves out points that are not there") {
  Fixture fixture;
  fixture.fill();
  CHECK(upsert(&fixture, R"({"batch":{"ids":[1,4],"vectors":[[9,9],[4,0]]},)"
                         R"("update_mode":"update_only"})") == completed(2));
  CHECK(vector_of(&fixture, "1") == "[9.0,9.0]");
  CHECK(vector_of(&fixture, "4") == "404");
}

TEST_CASE("update_filter says which of the points that are there change") {
  Fixture fixture;
  fixture.fill();
  const std::string filter =
      R"("update_filter":{"must":[{"key":"a","match":{"value":3}}]})";
  CHECK(upsert(&fixture,
               R"({"points":[{"id":1,"vector":[9,9]},{"id":3,"vector":[8,8]},)"
               R"({"id":4,"vector":[4,0]}],)" +
                   filter + "}") == completed(2));
  CHECK(vector_of(&fixture, "1") == "[1.0,0.0]");
  CHECK(vector_of(&fixture, "3") == "[8.0,8.0]");
  CHECK(vector_of(&fixture, "4") == "[4.0,0.0]");
}

TEST_CASE("a write that its condition leaves nothing of is operation 0") {
  Fixture fixture;
  fixture.fill();
  CHECK(upsert(&fixture, R"({"points":[{"id":1,"vector":[9,9]}],)"
                         R"("update_mode":"insert_only"})") == completed(0));
  CHECK(upsert(&fixture, R"({"points":[{"id":9,"vector":[9,9]}]})") ==
        completed(2));
}

TEST_CASE("points that are left out must be valid all the same") {
  Fixture fixture;
  fixture.fill();
  const std::string reply = upsert(
      &fixture, R"({"points":[{"id":4,"vector":[4,0]},{"id":1,"vector":[9]}],)"
                R"("update_mode":"insert_only"})");
  CHECK(reply.starts_with("400 "));
  CHECK(reply.find("points[1].vector") != std::string::npos);
  CHECK(vector_of(&fixture, "4") == "404");
  CHECK(upsert(&fixture, R"({"points":[],"update_mode":"insert_only"})")
            .starts_with("4"));
  CHECK(upsert(&fixture,
               R"({"points":[{"id":1,"vector":[1,1]}],"update_mode":"x"})")
            .find("update_mode: expected one of") != std::string::npos);
}

// An insert of many points, so that there is time between its look and its
// write.
std::string insert_of(int round, int writer) {
  std::string body = R"({"update_mode":"insert_only","points":[)";
  for (int i = 0; i < 300; ++i) {
    body += (i == 0 ? "" : ",") + std::string(R"({"id":)") +
            std::to_string(round * 300 + i) + R"(,"vector":[)" +
            std::to_string(writer) + ",0]}";
  }
  return body + "]}";
}

TEST_CASE("of many who insert the same points only the first succeeds") {
  Fixture fixture;
  fixture.create();
  constexpr int kWriters = 4;
  constexpr int kRounds = 60;
  std::barrier<> together(kWriters);
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (int round = 0; round < kRounds; ++round) {
        const std::string body = insert_of(round, writer);
        together.arrive_and_wait();
        fixture.call("PUT", "/collections/c/points", body);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // One write for each round went into the history.
  CHECK(upsert(&fixture, R"({"points":[{"id":99999,"vector":[9,9]}]})") ==
        completed(kRounds + 1));
}

TEST_CASE("new vectors leave the payloads") {
  Fixture fixture;
  fixture.fill();
  CHECK(fixture.ask("PUT", "/collections/c/points/vectors?wait=true",
                    R"({"points":[{"id":3,"vector":[7,7]},)"
                    R"({"id":1,"vector":{"":[6,6]}}]})") == completed(2));
  CHECK(fixture.ask("GET", "/collections/c/points/3") ==
        R"(200 {"result":{"id":3,"payload":{"a":3},"vector":[7.0,7.0]},)"
        R"("status":"ok")");
  CHECK(vector_of(&fixture, "1") == "[6.0,6.0]");
}

TEST_CASE("new vectors of a point that is not there are 404, all of them") {
  Fixture fixture;
  fixture.fill();
  CHECK(fixture.ask("PUT", "/collections/c/points/vectors",
                    R"({"points":[{"id":1,"vector":[7,7]},)"
                    R"({"id":9,"vector":[7,7]}]})") ==
        R"(404 {"status":{"error":"Not found: No point with id 9 found"})");
  CHECK(vector_of(&fixture, "1") == "[1.0,0.0]");
  CHECK(fixture
            .ask("PUT", "/collections/c/points/vectors",
                 R"({"points":[{"id":1,"vector":[7,7],"payload":{}}]})")
            .starts_with("400 "));
}

TEST_CASE("vectors cannot be taken away") {
  Fixture fixture;
  fixture.fill();
  const auto error = [&](std::string_view body) {
    return fixture.ask("POST", "/collections/c/points/vectors/delete", body);
  };
  CHECK(error(R"({"points":[1],"vector":[""]})")
            .find("lamina does not support points without a vector") !=
        std::string::npos);
  CHECK(error(R"({"points":[1],"vector":["a"]})") ==
        R"(400 {"status":{"error":"Wrong input: Not existing vector name )"
        R"(error: a"})");
  CHECK(vector_of(&fixture, "1") == "[1.0,0.0]");
}

TEST_CASE("a batch of operations is run in order") {
  Fixture fixture;
  fixture.fill();
  const std::string body = R"({"operations":[
      {"upsert":{"points":[{"id":4,"vector":[4,0],"payload":{"b":1}}]}},
      {"set_payload":{"payload":{"c":2},"points":[4]}},
      {"overwrite_payload":{"payload":{"d":3},"points":[1]}},
      {"delete_payload":{"keys":["a"],"points":[3]}},
      {"clear_payload":{"points":[2]}},
      {"update_vectors":{"points":[{"id":2,"vector":[5,5]}]}},
      {"delete":{"points":[3]}}]})";
  const std::string reply =
      fixture.ask("POST", "/collections/c/points/batch?wait=true", body);
  std::string expected = R"(200 {"result":[)";
  for (int i = 2; i <= 8; ++i) {
    expected += R"({"operation_id":)" + std::to_string(i) +
                R"(,"status":"completed"})" + (i < 8 ? "," : "");
  }
  CHECK(reply == expected + R"(],"status":"ok")");
  CHECK(fixture.ask("POST", "/collections/c/points/scroll",
                    R"({"with_vector":true})") ==
        R"(200 {"result":{"points":[)"
        R"({"id":1,"payload":{"d":3},"vector":[1.0,0.0]},)"
        R"({"id":2,"payload":{},"vector":[5.0,5.0]},)"
        R"({"id":4,"payload":{"b":1,"c":2},"vector":[4.0,0.0]}],)"
        R"("next_page_offset":null},"status":"ok")");
}

TEST_CASE("an operation that cannot be read lets none be run") {
  Fixture fixture;
  fixture.fill();
  const auto error = [&](std::string_view second) {
    return fixture.ask("POST", "/collections/c/points/batch",
                       R"({"operations":[{"delete":{"points":[1]}},)" +
                           std::string(second) + "]}");
  };
  CHECK(error(R"({"upsert":{"points":[{"id":-1,"vector":[1,0]}]}})")
            .find("operations[1].upsert: points[0].id") != std::string::npos);
  CHECK(error(R"({"dance":{}})").find("operations[1]: expected one of") !=
        std::string::npos);
  CHECK(error(R"({"delete":{"points":[2]},"clear_payload":{"points":[2]}})")
            .starts_with("400 "));
  CHECK(error(R"({"delete_vectors":{"points":[1],"vector":[""]}})")
            .starts_with("400 "));
  CHECK(vector_of(&fixture, "1") == "[1.0,0.0]");
}

TEST_CASE("an operation that fails ends the batch, and is named") {
  Fixture fixture;
  fixture.fill();
  const std::string reply =
      fixture.ask("POST", "/collections/c/points/batch",
                  R"({"operations":[{"delete":{"points":[1]}},)"
                  R"({"upsert":{"points":[{"id":7,"vector":[1,0,0]}]}},)"
                  R"({"delete":{"points":[2]}}]})");
  CHECK(reply.starts_with("400 "));
  CHECK(reply.find("operations[1].upsert: ") != std::string::npos);
  CHECK(vector_of(&fixture, "1") == "404");
  CHECK(vector_of(&fixture, "2") == "[2.0,0.0]");
}

TEST_CASE("searches are queries by vector, answered without points") {
  Fixture fixture;
  fixture.fill();
  const std::string hits =
      R"([{"id":3,"version":1,"score":3.0},{"id":2,"version":1,"score":2.0}])";
  for (const char* body :
       {R"({"vector":[1,0],"limit":2})", R"({"vector":[1,0],"top":2})",
        R"({"vector":{"name":"","vector":[1,0]},"limit":2})"}) {
    CAPTURE(body);
    CHECK(fixture.ask("POST", "/collections/c/points/search", body) ==
          "200 {\"result\":" + hits + R"(,"status":"ok")");
  }
  CHECK(fixture.ask("POST", "/collections/c/points/search/batch",
                    R"({"searches":[{"vector":[1,0],"limit":2},)"
                    R"({"vector":[1,0],"limit":2}]})") ==
        "200 {\"result\":[" + hits + "," + hits + R"(],"status":"ok")");
  CHECK(
      fixture.ask("POST", "/collections/c/points/search", R"({"vector":[1,0]})")
          .find("missing field `limit`") != std::string::npos);
  CHECK(fixture
            .ask("POST", "/collections/c/points/search",
                 R"({"vector":{"name":"x","vector":[1,0]},"limit":1})")
            .find("Not existing vector name error: x") != std::string::npos);
}

}  // namespace
}  // namespace lamina::server
