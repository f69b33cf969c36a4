#include "router_fixture.h"

namespace lamina::server {
namespace {

constexpr std::string_view kTrue = R"(200 {"result":true,"status":"ok")";

std::string create_with(std::string_view fields) {
  return R"({"vectors":{"size":2,"distance":"Dot"},)" + std::string(fields) +
         "}";
}

TEST_CASE("settings without effect are kept, shown and warned of") {
  Fixture fixture;
  REQUIRE(fixture.ask("PUT", "/collections/c",
                      create_with(R"("replication_factor":2,)"
                                  R"("on_disk_payload":true,)"
                                  R"("optimizers_config":)"
                                  R"({"default_segment_number":2,)"
                                  R"("flush_interval_sec":5},)"
                                  R"("quantization_config":)"
                                  R"({"scalar":{"type":"int8"}},)"
                                  R"("metadata":{"k":[1,null]})")) == kTrue);
  const Reply info = fixture.call("GET", "/collections/c");
  CHECK(has(info, R"("replication_factor":2)"));
  CHECK(has(info, R"("on_disk_payload":true)"));
  CHECK(has(info, R"("default_segment_number":2)"));
  CHECK(has(info, R"("quantization_config":{"scalar":{"type":"int8"}})"));
  CHECK(has(info, R"("metadata":{"k":[1,null]})"));
  CHECK(has(info,
            R"("warnings":[{"message":"optimizer_config.default_segment_number)"
            R"( is kept, but has no effect"},)"));
  CHECK(has(info, R"({"message":"params.replication_factor is kept)"));
  CHECK(has(info, R"({"message":"quantization_config is kept)"));
  CHECK_FALSE(has(info, "flush_interval_sec is kept"));  // It is the default.
}

TEST_CASE("a collection without settings has no warnings") {
  Fixture fixture;
  fixture.create();
  CHECK_FALSE(has(fixture.call("GET", "/collections/c"), "warnings"));
}

TEST_CASE("PATCH merges metadata, and a null takes a key away") {
  Fixture fixture;
  fixture.call("PUT", "/collections/c",
               create_with(R"("metadata":{"a":1,"b":2})"));
  CHECK(fixture.ask("PATCH", "/collections/c",
                    R"({"metadata":{"a":null,"c":"3"}})") == kTrue);
  CHECK(has(fixture.call("GET", "/collections/c"),
            R"("metadata":{"b":2,"c":"3"})"));
  CHECK(fixture.ask("PATCH", "/collections/c",
                    R"({"optimizers_config":{"indexing_threshold":7}})") ==
        kTrue);
  CHECK(
      has(fixture.call("GET", "/collections/c"), R"("indexing_threshold":7)"));
  CHECK(fixture.ask("PATCH", "/collections/c", "{}") == kTrue);
}

TEST_CASE("PATCH refuses what it does not know, and an unknown collection") {
  Fixture fixture;
  fixture.create();
  const auto error = [&](std::string_view body) {
    return fixture.ask("PATCH", "/collections/c", body);
  };
  CHECK(error(R"({"shard_number":2})").find("unknown field `shard_number`") !=
        std::string::npos);
  CHECK(error(R"({"metadata":1})").find("metadata: expected an object") !=
        std::string::npos);
  CHECK(error("[]").starts_with("400 "));
  CHECK(fixture.call("PATCH", "/collections/none", "{}").status == 404);
}

TEST_CASE("--compat=strict refuses settings that would change the engine") {
  Fixture fixture;
  fixture.state().strict = true;
  const std::string refused = fixture.ask(
      "PUT", "/collections/c",
      create_with(R"("quantization_config":{"scalar":{"type":"int8"}})"));
  CHECK(refused.starts_with("400 "));
  CHECK(refused.find("quantization_config") != std::string::npos);
  CHECK(fixture.call("GET", "/collections/c").status == 404);
  CHECK(fixture.ask("PUT", "/collections/c",
                    create_with(R"("replication_factor":2)")) == kTrue);
  CHECK(fixture
            .ask("PATCH", "/collections/c",
                 R"({"strict_mode_config":{"enabled":true}})")
            .starts_with("400 "));
}

TEST_CASE("a collection that is made again has none of the old settings") {
  Fixture fixture;
  fixture.call("PUT", "/collections/c", create_with(R"("metadata":{"a":1})"));
  fixture.call("DELETE", "/collections/c");
  fixture.create();
  CHECK_FALSE(has(fixture.call("GET", "/collections/c"), "metadata"));
}

}  // namespace
}  // namespace lamina::server
