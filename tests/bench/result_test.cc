#include "core/result.h"

#include <doctest/doctest.h>

#include <string>

#include "sample_result.h"

using lamina::bench::BenchResult;
using lamina::bench::from_json;
using lamina::bench::sample_result;
using lamina::bench::to_json;

TEST_CASE("a result reads back from its file as it was written") {
  const BenchResult result = sample_result();
  const auto read = from_json(to_json(result));
  REQUIRE(read.ok());
  CHECK(*read == result);
}

TEST_CASE("a result file names its schema and the rungs") {
  const std::string json = to_json(sample_result());
  CHECK(json.starts_with(R"({"schema":"lamina-bench/1")"));
  for (const char* part :
       {R"("id":"L0")", R"("id":"L7")", R"("body":"json")", R"("wall_ns":{)",
        R"("controls":[{"id":"AA_engine")", R"("pass":true)",
        R"("checks":[{"id":"answers_equal")"})
    CHECK_MESSAGE(json.find(part) != std::string::npos, part);
}

TEST_CASE("a file of another schema is refused, with its name") {
  std::string json = to_json(sample_result());
  json.replace(json.find("lamina-bench/1"), 14, "lamina-bench/9");
  const auto read = from_json(json);
  REQUIRE_FALSE(read.ok());
  CHECK(read.status().to_string().find("lamina-bench/9") != std::string::npos);
}

TEST_CASE("a field that is missing is named") {
  std::string json = to_json(sample_result());
  json.replace(json.find("\"noise_floor_ns\""), 16, "\"another_name__\"");
  const auto read = from_json(json);
  REQUIRE_FALSE(read.ok());
  CHECK(read.status().field() == "noise_floor_ns");
}

TEST_CASE("unknown fields are passed over") {
  std::string json = to_json(sample_result());
  json.insert(1, R"("future":{"a":[1,2]},)");
  CHECK(from_json(json).ok());
}
