#include "openapi.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "route_table.h"
#include "router_fixture.h"
#include "types/json_reader.h"

namespace lamina::server {
namespace {

using Names = std::set<std::string>;

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(c - 'a' + 'A');
  return result;
}

Names routes_of_document() {
  Names names;
  const auto document = JsonDocument::parse(openapi());
  REQUIRE_MESSAGE(document.ok(), document.status().to_string());
  for (const auto& path : document->root().find("paths")->members()) {
    for (const auto& operation : path.value.members()) {
      names.insert(upper(operation.key) + " " + std::string(path.key));
    }
  }
  return names;
}

Names routes_of_server() {
  Names names;
  for (const Route& route : routes()) {
    std::string pattern(route.pattern);
    const std::size_t name = pattern.find("{c}");
    if (name != std::string::npos)
      pattern.replace(name, 3, "{collection_name}");
    names.insert(std::string(route.method) + " " + pattern);
  }
  return names;
}

TEST_CASE("the document describes every route, and no other") {
  const Names described = routes_of_document();
  const Names served = routes_of_server();
  for (const std::string& name : served) {
    CHECK_MESSAGE(described.count(name) == 1, "not described: " << name);
  }
  for (const std::string& name : described) {
    CHECK_MESSAGE(served.count(name) == 1, "not served: " << name);
  }
}

TEST_CASE("the document is served as it is") {
  const Reply reply = Fixture().call("GET", "/openapi.json");
  CHECK(reply.status == 200);
  CHECK(reply.content_type.starts_with("application/json"));
  CHECK(reply.body == openapi());
}

}  // namespace
}  // namespace lamina::server
