#pragma once

#include <cstdint>
#include <memory>

#include "lamina/store.h"

namespace lamina::test {

// A Store behind a server on 127.0.0.1, written by hand with cpp-httplib and
// the protocol's codecs: what a user would write without lamina::Client. It
// shares no code with the client, so where the two agree the protocol is right.
//
// Thread safety: as Store; calls run one after the other.
std::unique_ptr<Store> make_raw_http_store(std::uint16_t port);

}  // namespace lamina::test
