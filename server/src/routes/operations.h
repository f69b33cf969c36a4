#pragma once

#include "routes/call.h"

// Routes about the server itself. None of them touches a collection.
namespace lamina::server {

Reply get_root(const Call& call);
Reply get_healthz(const Call& call);  // Also /livez.
Reply get_readyz(const Call& call);

// Does nothing: what it costs is what transport and routing cost.
Reply noop(const Call& call);

}  // namespace lamina::server
