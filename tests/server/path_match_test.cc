#include "path_match.h"

#include <doctest/doctest.h>

#include "route_table.h"

namespace lamina::server {
namespace {

bool match(std::string_view path, std::string_view pattern) {
  const std::optional<PathSegments> segments = PathSegments::split(path);
  return segments.has_value() && segments->match(pattern);
}

TEST_CASE("a path matches a pattern segment by segment") {
  CHECK(match("/", "/"));
  CHECK(match("", "/"));
  CHECK(match("/a/b", "/a/{x}"));
  CHECK_FALSE(match("/a", "/a/{x}"));
  CHECK_FALSE(match("/a/b/c", "/a/{x}"));
  CHECK_FALSE(match("/b/b", "/a/{x}"));
  CHECK_FALSE(match("/aa/b", "/a/{x}"));
  CHECK_FALSE(match("/a", "/"));
}

TEST_CASE("doubled and trailing slashes mean nothing") {
  CHECK(match("//a///b//", "/a/{x}"));
  CHECK(match("///", "/"));
}

TEST_CASE("a parameter's segment is found by the pattern") {
  const std::optional<PathSegments> path =
      PathSegments::split("/collections//c%20/points/7/");
  REQUIRE(path.has_value());
  const std::string_view pattern = "/collections/{c}/points/{id}";
  CHECK(path->at("{c}", pattern) == "c%20");
  CHECK(path->at("{id}", pattern) == "7");
  CHECK(path->at("{other}", pattern).empty());
}

TEST_CASE("a path deeper than any route is not split") {
  CHECK(PathSegments::split("/1/2/3/4/5/6/7/8").has_value());
  CHECK_FALSE(PathSegments::split("/1/2/3/4/5/6/7/8/9").has_value());
}

TEST_CASE("no route hides another, and all are within the depth") {
  for (const Route& route : routes()) {
    CAPTURE(route.pattern);
    CHECK(PathSegments::split(route.pattern).has_value());
    int same = 0;
    for (const Route& other : routes()) {
      same +=
          other.method == route.method && match(route.pattern, other.pattern);
    }
    CHECK(same == 1);
  }
}

}  // namespace
}  // namespace lamina::server
