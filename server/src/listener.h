#pragma once

#include <cstdint>
#include <string>

#include "descriptor.h"
#include "lamina/result.h"

// Sockets that clients connect to.
namespace lamina::server {

// A socket that listens. Accepting from it does not block.
struct Listener {
  Descriptor socket;
  std::uint16_t port = 0;  // What was bound; 0 for a UNIX socket.
};

// Port 0 picks a free one.
//   unavailable: the address is in use, or not ours.
Result<Listener> listen_on_tcp(const std::string& host, std::uint16_t port);

// A socket file that only its owner may use (mode 0600). A socket file that is
// there already is replaced when nobody listens on it.
//   invalid_argument: the path is empty or longer than the system allows.
//   unavailable: somebody listens there, it is another kind of file, or the
//   system refuses.
Result<Listener> listen_on_unix(const std::string& path);

}  // namespace lamina::server
