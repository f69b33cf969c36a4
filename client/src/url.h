#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lamina/result.h"

namespace lamina::client {

// Where a server is.
struct Url {
  std::string host;  // A name or an address, IPv6 without brackets
  std::uint16_t port = 6333;
  std::string prefix;  // "" or "/some/prefix", put before every path

  // "127.0.0.1:6333", "[::1]:6333": for messages and the Host header.
  std::string authority() const;
};

// Reads "http://host[:port][/prefix]".
//   invalid_argument: anything else.
Result<Url> parse_url(std::string_view text);

}  // namespace lamina::client
