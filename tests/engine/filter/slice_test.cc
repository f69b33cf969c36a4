#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "engine/filter/filter_rows.h"
#include "filter/slice_hash.h"

namespace lamina {
namespace {

TEST_CASE("the hash of ids is SipHash-2-4 under a key of zeros") {
  // Computed by another implementation, which gives the value of the paper's
  // appendix for the paper's key and text.
  CHECK(filter::slice_hash(0) == 0xe849e8bb6ffe2567u);
  CHECK(filter::slice_hash(1) == 0x8004c5a694105f5eu);
  CHECK(filter::slice_hash(42) == 0x0fc2553f07619dd3u);
  CHECK(filter::slice_hash(~std::uint64_t{0}) == 0x8050c18b6ac9d15eu);
  const PointId uuid =
      PointId::parse_uuid("67e55044-10b1-426f-9247-bb680e5fe0c8").value();
  CHECK(filter::slice_hash(uuid) == 0xbc6cb3db02bf6e43u);
}

TEST_CASE("slices split the points: each is in exactly one") {
  test::FilterRows rows;
  for (std::uint64_t id = 0; id < 300; ++id) rows.put(id, "{}");
  std::vector<std::uint64_t> seen(300);
  for (std::uint64_t index = 0; index < 7; ++index) {
    const auto ids = rows.ids(Filter::all_of({where::slice(index, 7)}));
    CHECK(ids.size() > 20);
    for (const std::uint64_t id : ids) ++seen[id];
  }
  CHECK(seen == std::vector<std::uint64_t>(300, 1));
}

}  // namespace
}  // namespace lamina
