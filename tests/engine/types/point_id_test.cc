#include "lamina/point_id.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <vector>

namespace lamina {
namespace {

constexpr std::string_view kUuid = "98a9a4b1-4ef2-46fb-8315-a97d874fe1d7";

PointId uuid(std::string_view text) {
  return PointId::parse_uuid(text).value();
}

TEST_CASE("a UUID is read in every usual spelling and written in one") {
  for (const char* text : {"98a9a4b1-4ef2-46fb-8315-a97d874fe1d7",
                           "98A9A4B1-4EF2-46FB-8315-A97D874FE1D7",
                           "98a9a4b14ef246fb8315a97d874fe1d7",
                           "{98a9a4b1-4ef2-46fb-8315-a97d874fe1d7}",
                           "{98a9a4b14ef246fb8315a97d874fe1d7}",
                           "urn:uuid:98a9a4b1-4ef2-46fb-8315-a97d874fe1d7",
                           "URN:UUID:98a9a4b1-4ef2-46fb-8315-a97d874fe1d7"}) {
    CAPTURE(text);
    const Result<PointId> id = PointId::parse_uuid(text);
    REQUIRE(id.ok());
    CHECK(id->is_uuid());
    CHECK(id->to_string() == kUuid);
    CHECK(PointId::from_uuid(id->uuid()) == *id);
  }
}

TEST_CASE("what is not a UUID is refused") {
  for (const char* text :
       {"", "5", "98a9a4b1-4ef2-46fb-8315-a97d874fe1d",
        "98a9a4b1-4ef2-46fb-8315-a97d874fe1d7a",
        "98a9a4b1-4ef2-46fb-8315-a97d874fe1dg",
        "98a9a4b14-ef2-46fb-8315-a97d874fe1d7",
        "98a9a4b1-4ef2-46fb-8315a97d874fe1d7",
        "{98a9a4b1-4ef2-46fb-8315-a97d874fe1d7",
        "{urn:uuid:98a9a4b14ef246fb8315a97d874fe1d7}", "{}", "urn:uuid:"}) {
    CAPTURE(text);
    CHECK(PointId::parse_uuid(text).status().code() ==
          StatusCode::invalid_argument);
  }
}

TEST_CASE("the form in a path is a number or a UUID") {
  CHECK(*PointId::parse("0") == PointId(0));
  CHECK(*PointId::parse("18446744073709551615") ==
        PointId(std::numeric_limits<std::uint64_t>::max()));
  CHECK(*PointId::parse(kUuid) == uuid(kUuid));
  // Too large for a number, but 32 digits are a UUID without hyphens.
  CHECK(PointId::parse("12345678901234567890123456789012")->is_uuid());
  for (const char* text :
       {"", "abc", "-1", "+1", " 1", "1 ", "1.0", "18446744073709551616"}) {
    CAPTURE(text);
    CHECK_FALSE(PointId::parse(text).ok());
  }
  CHECK(PointId::parse("abc").status().message() ==
        "Can not recognize \"abc\" as point id");
}

TEST_CASE("numbers come before UUIDs, both by value") {
  const std::vector<PointId> ordered = {
      0,
      1,
      9007199254740993u,
      std::numeric_limits<std::uint64_t>::max(),
      uuid("00000000-0000-0000-0000-000000000000"),
      uuid("00000000-0000-0000-0000-000000000001"),
      uuid("00000000-0000-0001-0000-000000000000"),
      uuid(kUuid),
      uuid("ffffffff-ffff-ffff-ffff-ffffffffffff")};
  CHECK(std::is_sorted(ordered.begin(), ordered.end()));
  CHECK(std::adjacent_find(ordered.begin(), ordered.end()) == ordered.end());
}

TEST_CASE("a name gives the same version 5 UUID for ever") {
  // Computed with Python: uuid.uuid5(uuid.UUID("91bd3c8a-3a74-4c34-be51-"
  // "578628586466"), name).
  CHECK(PointId::from_name("").to_string() ==
        "245437df-6035-583c-80a7-3c6302da6ea3");
  CHECK(PointId::from_name("a").to_string() ==
        "e2515753-788f-558e-a2d7-ca7de2ae32aa");
  CHECK(PointId::from_name("hello").to_string() ==
        "b5c9d532-8d7f-548d-9cdf-1f6da46cf11e");
  CHECK(PointId::from_name("document/42#é").to_string() ==
        "42b51a85-4b72-5070-8c2c-e31091b0babd");
}

TEST_CASE("equal ids hash alike, neighbouring ones do not collide") {
  CHECK(uuid(kUuid).hash() == uuid(kUuid).hash());
  std::unordered_set<std::size_t> low_bits;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    low_bits.insert(PointId(i).hash() & 0xFFFF);
  }
  CHECK(low_bits.size() > 950);
  CHECK(PointId(0).hash() !=
        uuid("00000000-0000-0000-0000-000000000000").hash());
}

}  // namespace
}  // namespace lamina
