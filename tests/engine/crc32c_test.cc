#include "storage/crc32c.h"

#include <doctest/doctest.h>

#include <string>

#include "support/random_points.h"

namespace lamina::storage {
namespace {

TEST_CASE("known answers of RFC 3720, appendix B.4") {
  std::string ascending;
  for (char c = 0; c < 32; ++c) ascending += c;
  CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aa);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62a8ab43);
  CHECK(crc32c(ascending) == 0x46dd794e);
  CHECK(crc32c("123456789") == 0xe3069283);
  CHECK(crc32c("") == 0);
}

TEST_CASE("the CPU's instruction and the table agree, whole and in parts") {
  test::Random random(1);
  for (std::size_t length = 0; length < 200; ++length) {
    std::string bytes(length, '\0');
    for (char& c : bytes) c = static_cast<char>(random.next());
    CHECK(crc32c(bytes) == crc32c_portable(bytes));
    const std::size_t cut = length / 3;
    const std::string_view view(bytes);
    CHECK(crc32c(view.substr(cut), crc32c(view.substr(0, cut))) ==
          crc32c(bytes));
  }
}

}  // namespace
}  // namespace lamina::storage
