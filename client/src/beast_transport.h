#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "transport.h"
#include "url.h"

namespace lamina::client {

struct TransportLimits {
  std::chrono::milliseconds connect_timeout;
  std::size_t max_reply_bytes;
};

// HTTP/1.1 over TCP, replies read by Boost.Beast. `api_key` goes with each
// request unless it is empty; it must be fit for a header.
std::unique_ptr<Transport> make_beast_transport(const Url& url,
                                                const TransportLimits& limits,
                                                std::string_view api_key = {});

}  // namespace lamina::client
