#include "router_fixture.h"

namespace lamina::server {
namespace {

constexpr std::string_view kTrue = R"(200 {"result":true,"status":"ok")";

std::string create_alias(std::string_view alias,
                         std::string_view collection = "c") {
  return R"({"actions":[{"create_alias":{"collection_name":")" +
         std::string(collection) + R"(","alias_name":")" + std::string(alias) +
         R"("}}]})";
}

std::string change(Fixture* fixture, std::string_view body) {
  return fixture->ask("POST", "/collections/aliases", body);
}

TEST_CASE("an alias holds wherever the name of a collection does") {
  Fixture fixture;
  fixture.fill();
  REQUIRE(change(&fixture, create_alias("other \xc3\xa4")) == kTrue);
  const std::string path = "/collections/other%20%C3%A4";
  CHECK(fixture.ask("POST", path + "/points/count", "{}") ==
        R"(200 {"result":{"count":3},"status":"ok")");
  CHECK(fixture.call("GET", path).status == 200);
  CHECK(has(fixture.call("GET", path + "/exists"), R"("exists":true)"));
  CHECK(fixture.call("GET", path + "/points/1").status == 200);
  CHECK(fixture
            .call("PUT", path + "/points",
                  R"({"points":[{"id":9,"vector":[1,1]}]})")
            .status == 200);
  CHECK(fixture.call("GET", "/collections/c/points/9").status == 200);
}

TEST_CASE("aliases are listed, of all collections and of one") {
  Fixture fixture;
  fixture.create("c");
  fixture.create("d");
  change(&fixture, create_alias("z"));
  change(&fixture, create_alias("y", "d"));
  CHECK(fixture.ask("GET", "/aliases") ==
        R"(200 {"result":{"aliases":[{"alias_name":"y","collection_name":"d"},)"
        R"({"alias_name":"z","collection_name":"c"}]},"status":"ok")");
  const std::string of_c =
      R"(200 {"result":{"aliases":[{"alias_name":"z","collection_name":"c"}]},)"
      R"("status":"ok")";
  CHECK(fixture.ask("GET", "/collections/c/aliases") == of_c);
  CHECK(fixture.ask("GET", "/collections/z/aliases") == of_c);
  CHECK(fixture.call("GET", "/collections/none/aliases").status == 404);
}

TEST_CASE("actions are applied together or not at all") {
  Fixture fixture;
  fixture.create("c");
  const std::string two =
      R"({"actions":[{"create_alias":{"collection_name":"c",)"
      R"("alias_name":"a"}},{"create_alias":{"collection_name":"none",)"
      R"("alias_name":"b"}}]})";
  CHECK(
      change(&fixture, two) ==
      R"(404 {"status":{"error":"Not found: Collection `none` doesn't exist!"})");
  CHECK(fixture.ask("GET", "/aliases") ==
        R"(200 {"result":{"aliases":[]},"status":"ok")");
}

TEST_CASE("aliases are moved, renamed and deleted") {
  Fixture fixture;
  fixture.create("c");
  fixture.create("d");
  change(&fixture, create_alias("a"));
  CHECK(change(&fixture, create_alias("a", "d")) == kTrue);
  CHECK(fixture.call("GET", "/collections/d/aliases").body.find("\"a\"") !=
        std::string::npos);
  CHECK(change(&fixture, R"({"actions":[{"rename_alias":{"old_alias_name":"a",)"
                         R"("new_alias_name":"b"}}]})") == kTrue);
  CHECK(fixture.call("GET", "/collections/a").status == 404);
  CHECK(fixture.call("GET", "/collections/b").status == 200);
  const std::string erase =
      R"({"actions":[{"delete_alias":{"alias_name":"b"}}]})";
  CHECK(change(&fixture, erase) == kTrue);
  CHECK(change(&fixture, erase) == kTrue);  // Absence is no error.
  CHECK(fixture.call("GET", "/collections/b").status == 404);
  CHECK(change(&fixture, R"({"actions":[{"rename_alias":{"old_alias_name":"a",)"
                         R"("new_alias_name":"b"}}]})")
            .starts_with("404 "));
}

TEST_CASE("a name is a collection or an alias, never both") {
  Fixture fixture;
  fixture.create("c");
  fixture.create("d");
  CHECK(change(&fixture, create_alias("d"))
            .starts_with(R"(409 {"status":{"error":"Wrong input: )"));
  change(&fixture, create_alias("a"));
  CHECK(fixture
            .call("PUT", "/collections/a",
                  R"({"vectors":{"size":2,"distance":"Dot"}})")
            .status == 409);
}

TEST_CASE("aliases go with their collection") {
  Fixture fixture;
  fixture.create("c");
  change(&fixture, create_alias("a"));
  CHECK(fixture.call("DELETE", "/collections/c").status == 200);
  CHECK(fixture.ask("GET", "/aliases") ==
        R"(200 {"result":{"aliases":[]},"status":"ok")");
}

TEST_CASE("DELETE takes a collection's own name only") {
  Fixture fixture;
  fixture.create("c");
  change(&fixture, create_alias("a"));
  CHECK(fixture.ask("DELETE", "/collections/a") ==
        R"(200 {"result":false,"status":"ok")");
  CHECK(fixture.call("GET", "/collections/c").status == 200);
}

TEST_CASE(
    "a malformed change of aliases names the field, and changes nothing") {
  Fixture fixture;
  fixture.create("c");
  const auto error = [&](std::string_view body) {
    return change(&fixture, body);
  };
  CHECK(error("{}").find("missing field `actions`") != std::string::npos);
  CHECK(error(R"({"actions":{}})").find("actions: expected an array") !=
        std::string::npos);
  CHECK(error(R"({"actions":[{}]})").find("actions[0]: expected one of") !=
        std::string::npos);
  CHECK(error(R"({"actions":[{"create_alias":{"alias_name":"a"}}]})")
            .find("missing field `collection_name`") != std::string::npos);
  CHECK(error(create_alias("a/b")).starts_with("400 "));
  CHECK(error(create_alias("")).starts_with("400 "));
  CHECK(fixture.ask("GET", "/aliases") ==
        R"(200 {"result":{"aliases":[]},"status":"ok")");
}

}  // namespace
}  // namespace lamina::server
