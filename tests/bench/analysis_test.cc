#include "experiments/analysis.h"

#include <doctest/doctest.h>

#include "sample_result.h"

using lamina::bench::BenchResult;
using lamina::bench::Check;
using lamina::bench::check_preflight;
using lamina::bench::Contrast;
using lamina::bench::Control;
using lamina::bench::kArms;
using lamina::bench::RoundResult;
using lamina::bench::sample_result;

TEST_CASE("each step of the ladder is the paired difference of its rungs") {
  const BenchResult result = sample_result();
  const Contrast* step = result.contrast("L6-L5");
  REQUIRE(step != nullptr);
  CHECK(step->value == doctest::Approx(10'000.0));
  CHECK(step->resolved);
  CHECK(step->rounds.size() == 6);
}

TEST_CASE("the client's cost is the same by both routes when it is") {
  const BenchResult result = sample_result();
  const double against_server = result.contrast("L7-L4")->value;
  const double against_stub = result.contrast("Z7-Z4")->value;
  CHECK(result.contrast("(L7-L4)-(Z7-Z4)")->value ==
        doctest::Approx(against_server - against_stub));
}

TEST_CASE("equal arms and the injected cost pass their controls") {
  const BenchResult result = sample_result();
  REQUIRE(result.controls.size() == 7);
  for (const Control& control : result.controls)
    CHECK_MESSAGE(control.pass, control.id);
  CHECK(result.noise_floor_ns == 0.0);
  CHECK(result.proven());
}

TEST_CASE("all checks of a sound run pass, those of conservation included") {
  for (const Check& check : sample_result().checks)
    CHECK_MESSAGE(check.pass, check.id);
}

TEST_CASE("a control that failed leaves the result unproven") {
  BenchResult result = sample_result();
  result.controls[0].pass = false;
  CHECK_FALSE(result.proven());
}

TEST_CASE("a pattern of 40 ms calls is refused, a single one is not") {
  RoundResult round;
  round.arms.resize(kArms.size());
  round.arms[5].preflight_stalls = 1;
  CHECK(check_preflight(round).ok());
  round.arms[5].preflight_stalls = 59;
  const lamina::Status stalled = check_preflight(round);
  REQUIRE_FALSE(stalled.ok());
  CHECK(stalled.message().find("Nagle") != std::string::npos);
  CHECK(stalled.message().find(kArms[5].id) != std::string::npos);
}
