#pragma once

#include <cstdint>
#include <memory>

#include "lamina/store.h"

namespace lamina::test {

// A Store behind a server on 127.0.0.1, written by hand with cpp-httplib and
// the protocol's codecs: what a user would write without lamina::Client. It
// shares no code with the client, so where the two agree the protocol is right.
//
// With binary bodies, points and vectors go as floats and tensors, and come
// back as tensors, wherever there is a route for it and they make a matrix.
//
// Thread safety: as Store; calls run one after the other.
enum class RawBodies { json, binary };
std::unique_ptr<Store> make_raw_http_store(std::uint16_t port,
                                           RawBodies bodies = RawBodies::json);

}  // namespace lamina::test
