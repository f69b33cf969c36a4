#pragma once

#include "routes/call.h"

// Routes that search.
namespace lamina::server {

Reply query_points(const Call& call);
Reply query_points_batch(const Call& call);
Reply search_points(const Call& call);
Reply search_points_batch(const Call& call);

}  // namespace lamina::server
