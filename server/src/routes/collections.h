#pragma once

#include "routes/call.h"

// Routes that make, name and drop collections.
namespace lamina::server {

Reply list_collections(const Call& call);
Reply create_collection(const Call& call);
Reply get_collection(const Call& call);
Reply update_collection(const Call& call);
Reply collection_exists(const Call& call);
Reply drop_collection(const Call& call);
Reply flush_collection(const Call& call);

}  // namespace lamina::server
