#include "types/datetime.h"

#include <doctest/doctest.h>

namespace lamina {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

TEST_CASE("a time is microseconds since 1970 in UTC") {
  CHECK(parse_datetime("1970-01-01T00:00:00Z") == 0);
  CHECK(parse_datetime("1970-01-01T00:00:00.5Z") == kSecond / 2);
  CHECK(parse_datetime("1970-01-01T00:00:00.0000019Z") == 1);
  CHECK(parse_datetime("1969-12-31T23:59:59.999999Z") == -1);
  CHECK(parse_datetime("2024-02-29T12:34:56Z") == 1709210096 * kSecond);
  CHECK(parse_datetime("0000-01-01T00:00:00Z") == -62167219200 * kSecond);
  CHECK(parse_datetime("9999-12-31T23:59:59Z") == 253402300799 * kSecond);
  CHECK(parse_datetime("1990-12-31T23:59:60Z") == 662688000 * kSecond);
}

TEST_CASE("an offset is taken off, either way") {
  CHECK(parse_datetime("1970-01-01T01:30:00+01:30") == 0);
  CHECK(parse_datetime("1969-12-31T19:00:00-05:00") == 0);
  CHECK(parse_datetime("1970-01-01T01:30:00+0130") == 0);
}

TEST_CASE("parts that are left out are zero") {
  CHECK(parse_datetime("1970-01-02") == 86400 * kSecond);
  CHECK(parse_datetime("1970-01-01T00:01") == 60 * kSecond);
  CHECK(parse_datetime("1970-01-01 00:00:01") == kSecond);
  CHECK(parse_datetime("1970-01-01t00:00:01z") == kSecond);
}

TEST_CASE("what is no time is none") {
  for (const char* text : {"",
                           "now",
                           "2024",
                           "2024-1-1",
                           "2024-13-01",
                           "2024-00-01",
                           "2024-01-32",
                           "2023-02-29",
                           "2024-04-31",
                           "2024-01-01T",
                           "2024-01-01T24:00:00Z",
                           "2024-01-01T00:60:00Z",
                           "2024-01-01T00:00:61Z",
                           "2024-01-01T00:00:00.Z",
                           "2024-01-01T00:00:00Zulu",
                           "2024-01-01T00:00:00+",
                           "2024-01-01T1:00:00",
                           "2024-01-01T00:00:00+24:00",
                           " 2024-01-01",
                           "2024-01-01 ",
                           "+024-01-01",
                           "20240101",
                           "-2024-01-01"}) {
    CHECK_MESSAGE(!parse_datetime(text).has_value(), text);
  }
}

}  // namespace
}  // namespace lamina
