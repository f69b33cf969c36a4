#pragma once

#include <cstdint>

#include "lamina/status.h"

namespace lamina::bench {

// A server that does no work: what a client costs shows against it alone. One
// thread, its own epoll loop, no HTTP library. A request that it sees for the
// first time, by method and path, goes to the real server on `upstream_port`;
// from then on every such request is answered with those recorded bytes in one
// send. Prints "listening on http://127.0.0.1:PORT" and serves until it is
// killed. A request it cannot handle (chunked, or one that expects
// "100 Continue") closes the connection, so that the run fails loudly.
//   unavailable: no port, or no upstream.
Status run_stub(int upstream_port);

}  // namespace lamina::bench
