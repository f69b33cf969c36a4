#pragma once

#include "routes/call.h"

// Routes that change, index and count payloads.
namespace lamina::server {

Reply set_payload(const Call& call);
Reply overwrite_payload(const Call& call);
Reply delete_payload(const Call& call);
Reply clear_payload(const Call& call);
Reply create_payload_index(const Call& call);
Reply drop_payload_index(const Call& call);
Reply facet(const Call& call);

}  // namespace lamina::server
