#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "transport.h"
#include "url.h"

namespace lamina::client {

struct TransportLimits {
  std::chrono::milliseconds connect_timeout;
  std::size_t max_reply_bytes;
};

// HTTP/1.1 over TCP, replies read by Boost.Beast.
std::unique_ptr<Transport> make_beast_transport(const Url& url,
                                                const TransportLimits& limits);

}  // namespace lamina::client
