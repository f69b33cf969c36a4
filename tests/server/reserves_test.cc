#include "reserves.h"

#include <limits>

#include "route_table.h"
#include "router_fixture.h"
#include "support/temporary_directory.h"

namespace lamina::server {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("reserves: what is wanting is named, and counted") {
  test::TemporaryDirectory directory;
  Reserves enough;
  CHECK(enough.check() == Reserves::Lack::none);
  enough.set_limits(directory.path(), 1, kAll);
  CHECK(enough.check() == Reserves::Lack::none);
  Reserves disk;
  disk.set_limits(directory.path(), kAll, 0);
  CHECK(disk.check() == Reserves::Lack::disk);
  CHECK(disk.check() == Reserves::Lack::disk);
  CHECK(disk.refused(Reserves::Lack::disk) == 2);
  Reserves memory;
  memory.set_limits(directory.path(), 0, 1);
  CHECK(memory.check() == Reserves::Lack::memory);
  CHECK(memory.refused(Reserves::Lack::memory) == 1);
  CHECK(memory.refused(Reserves::Lack::disk) == 0);
}

TEST_CASE("reserves: a disk that tells nothing keeps no write out") {
  Reserves reserves;
  reserves.set_limits("/no/such/directory", kAll, 0);
  CHECK(reserves.check() == Reserves::Lack::none);
}

TEST_CASE("reserves: writes end with 507, reading and taking away go on") {
  Fixture fixture;
  fixture.fill();
  test::TemporaryDirectory directory;
  fixture.state().log.set_level(LogLevel::error);
  fixture.state().reserves.set_limits(directory.path(), kAll, 0);
  const Reply refused = fixture.call("PUT", "/collections/c/points",
                                     R"({"points":[{"id":9,"vector":[1,0]}]})");
  CHECK(refused.status == 507);
  CHECK(has(refused, "Insufficient storage: "));
  CHECK(header(refused, "Lamina-Status") == "resource_exhausted");
  CHECK(fixture
            .call("PUT", "/collections/d",
                  R"({"vectors":{"size":2,"distance":"Dot"}})")
            .status == 507);
  CHECK(fixture.call("GET", "/collections/c/points/9").status == 404);
  CHECK(
      fixture.call("POST", "/collections/c/points/query", R"({"query":[1,0]})")
          .status == 200);
  CHECK(
      fixture.call("POST", "/collections/c/points/delete", R"({"points":[1]})")
          .status == 200);
  CHECK(fixture.call("DELETE", "/collections/c").status == 200);
  CHECK(has(fixture.call("GET", "/metrics"),
            "lamina_refused_writes_total{reason=\"disk\"} 2\n"));
}

TEST_CASE("reserves: no route that reads or takes away adds data") {
  for (const Route& route : routes()) {
    CAPTURE(route.method);
    CAPTURE(route.pattern);
    const bool takes_away = route.method == "DELETE" ||
                            route.pattern.ends_with("/delete") ||
                            route.pattern.ends_with("/clear");
    if (route.needed != Permission::write || takes_away) {
      CHECK_FALSE(adds_data(route));
    }
    if (route.method == "PUT") CHECK(adds_data(route));
  }
}

TEST_CASE("a server that is about to end is alive and not ready") {
  Fixture fixture;
  CHECK(fixture.call("GET", "/readyz").status == 200);
  fixture.state().draining = true;
  CHECK(fixture.call("GET", "/readyz").status == 503);
  CHECK(fixture.call("GET", "/livez").status == 200);
  CHECK(fixture.call("GET", "/healthz").status == 200);
}

}  // namespace
}  // namespace lamina::server
