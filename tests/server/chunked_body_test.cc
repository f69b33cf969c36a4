#include "chunked_body.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "protocol/paths.h"

namespace lamina::server {
namespace {

// What comes out of bytes that arrive in pieces of `step`: the body, with "+N"
// behind it when N bytes were left over; "..." when it did not end; or the
// status of the refusal.
std::string decode(std::string_view bytes, std::size_t step) {
  ChunkedBody chunks;
  std::string body;
  while (!bytes.empty() && !chunks.ended()) {
    std::size_t taken = 0;
    const std::string_view piece = bytes.substr(0, step);
    const auto refusal = chunks.decode(piece, &body, &taken);
    if (refusal) return std::to_string(refusal->status);
    if (taken < piece.size() && !chunks.ended()) return "stuck";
    bytes.remove_prefix(taken);
  }
  if (!chunks.ended()) return body + "...";
  return bytes.empty() ? body : body + "+" + std::to_string(bytes.size());
}

std::string decode(std::string_view bytes) {
  const std::string whole = decode(bytes, bytes.size());
  for (const std::size_t step : {1, 2, 3}) {
    // What is left over is known only with the whole.
    CHECK(decode(bytes, step) == whole);
  }
  return whole;
}

TEST_CASE("chunks become a body, wherever they are cut") {
  CHECK(decode("0\r\n\r\n").empty());
  CHECK(decode("5\r\nhello\r\n0\r\n\r\n") == "hello");
  CHECK(decode("1\r\na\r\nA\r\n0123456789\r\n0000\r\n\r\n") == "a0123456789");
  CHECK(decode("00000000000000b\r\nhello\r\nbye!\r\n0\r\n\r\n") ==
        "hello\r\nbye!");
  CHECK(decode("2\r\nab\r\n0\r\n\r\nGET / HTTP/1.1") == "ab+14");
  CHECK(decode("2\r\nab\r\n0\r\n\r") == "ab...");
}

TEST_CASE("what is not framed beyond doubt is refused") {
  for (const char* bytes : {"-2\r\nab",
                            "+2\r\nab",
                            "0x2\r\nab",
                            " 2\r\nab",
                            "2 \r\nab",
                            "\r\n",
                            "\n",
                            "g\r\n",
                            "2;a=b\r\nab",
                            "2\nab",
                            "2\rab",
                            "2\r\nabc\r\n",
                            "2\r\nab\n",
                            "2\r\nab\rX",
                            "2\r\nab0\r\n\r\n",
                            "0\r\nA: b\r\n\r\n",
                            "0\r\n\n",
                            "0\r\n\rX",
                            "0\n\r\n",
                            "00000000000000001\r\na"}) {
    CAPTURE(bytes);
    CHECK(decode(bytes) == "400");
  }
}

TEST_CASE("a body in chunks may be as large as any other, and no larger") {
  const std::string allowed(protocol::kMaxBodyBytes - 1, 'x');
  const auto chunks = [&](std::string_view last) {
    return "1ffffff\r\n" + allowed + "\r\n" + std::string(last);
  };
  CHECK(decode(chunks("1\r\ny\r\n0\r\n\r\n"), 1 << 16) == allowed + "y");
  CHECK(decode(chunks("2\r\n"), 1 << 16) == "413");
  CHECK(decode("2000000\r\n") == "...");
  CHECK(decode("2000001") == "413");
  CHECK(decode("ffffffffffffffff") == "413");
}

}  // namespace
}  // namespace lamina::server
