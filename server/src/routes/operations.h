#pragma once

#include "routes/call.h"

// Routes about the server itself. None of them touches a collection.
namespace lamina::server {

Reply get_root(const Call& call);
Reply get_healthz(const Call& call);  // Also /livez.
Reply get_readyz(const Call& call);

// The description of all routes by OpenAPI.
Reply get_openapi(const Call& call);

// One node is all there is.
Reply get_cluster(const Call& call);
Reply refuse_cluster(const Call& call);  // 405
// Nothing is ever to be mended or optimized by hand.
Reply list_issues(const Call& call);
Reply clear_issues(const Call& call);
Reply get_optimizations(const Call& call);

// Routes of the protocol that Lamina does not have, so that a client is told
// rather than sent looking for a mistake in the path. 400.
Reply refuse_unsupported(const Call& call);

// Does nothing: what it costs is what transport and routing cost.
Reply noop(const Call& call);

// Sends the body back.
Reply echo(const Call& call);

}  // namespace lamina::server
