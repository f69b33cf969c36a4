#pragma once

#include "routes/call.h"

// Lamina's own routes: vectors as bytes, and replies as the caller accepts.
namespace lamina::server {

// What is offered, so that a client can find out.
Reply get_v1(const Call& call);

Reply v1_query(const Call& call);
Reply v1_upsert(const Call& call);
Reply v1_get(const Call& call);
Reply v1_scroll(const Call& call);

}  // namespace lamina::server
