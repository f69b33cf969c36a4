#pragma once

#include "routes/call.h"

// Routes that write points and read them by id.
namespace lamina::server {

Reply upsert_points(const Call& call);
Reply delete_points(const Call& call);
Reply retrieve_points(const Call& call);
Reply get_point(const Call& call);
Reply scroll_points(const Call& call);
Reply count_points(const Call& call);

}  // namespace lamina::server
