#include "query_parameters.h"

#include <doctest/doctest.h>

namespace lamina::server {
namespace {

using enum ParameterSet;

bool accepts(std::string_view query, ParameterSet set) {
  return parse_query_parameters(query, set).ok();
}

TEST_CASE("wait is false unless it is said") {
  CHECK_FALSE(parse_query_parameters("", write)->wait);
  CHECK(parse_query_parameters("wait=true", write)->wait);
  CHECK_FALSE(parse_query_parameters("a=1&wait=false", write)->wait);
  CHECK(parse_query_parameters("&&ordering=weak&wait=%74rue&x", write)->wait);
}

TEST_CASE("values out of their range are refused") {
  CHECK(accepts("timeout=1", admin));
  CHECK(accepts("consistency=majority&timeout=60", read));
  CHECK(accepts("consistency=2", read));
  CHECK(accepts("consistency=", read));
  CHECK_FALSE(accepts("timeout=-1", admin));
  CHECK_FALSE(accepts("timeout=1.5", read));
  CHECK_FALSE(accepts("timeout=", write));
  CHECK_FALSE(accepts("consistency=some", read));
  CHECK_FALSE(accepts("ordering=strange", write));
  CHECK_FALSE(accepts("wait=1", write));
  CHECK_FALSE(accepts("wait", write));
  CHECK_FALSE(accepts("wait=%zz", write));
}

TEST_CASE("a zero names its field, since its kind is right") {
  CHECK(parse_query_parameters("timeout=0", read).status().field() ==
        "timeout");
  CHECK(parse_query_parameters("consistency=0", read).status().field() ==
        "consistency");
}

TEST_CASE("what a route does not look at is passed over") {
  CHECK(accepts("wait=perhaps&ordering=odd", read));
  CHECK(accepts("consistency=odd", write));
  CHECK(accepts("timeout=0", none));
  CHECK(accepts("unknown=%20&=&a=b=c", write));
}

}  // namespace
}  // namespace lamina::server
