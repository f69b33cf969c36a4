#include "arms/raw_socket.h"

#include <doctest/doctest.h>

#include <string>

using lamina::bench::content_length;
using lamina::bench::encode_request;
using lamina::bench::head_length;

TEST_CASE("a head ends behind the first empty line") {
  CHECK(head_length("HTTP/1.1 200 OK\r\nA: b\r\n") == 0);
  CHECK(head_length("HTTP/1.1 200 OK\r\n\r\nbody") == 19);
}

TEST_CASE("the length of a body is found in any spelling of its name") {
  CHECK(content_length("X\r\nContent-Length: 12\r\n\r\n") == 12);
  CHECK(content_length("X\r\nA: b\r\ncontent-length:7\r\n\r\n") == 7);
  CHECK(content_length("X\r\nNot-Content-Length: 5\r\n\r\n") == 0);
  CHECK(content_length("X\r\n\r\n") == 0);
}

TEST_CASE("a request carries the length of its body") {
  const std::string request = encode_request("POST", "/a", "{\"b\":1}");
  CHECK(request.starts_with("POST /a HTTP/1.1\r\nHost: "));
  CHECK(content_length(request.substr(0, head_length(request))) == 7);
  CHECK(request.ends_with("\r\n\r\n{\"b\":1}"));
}
