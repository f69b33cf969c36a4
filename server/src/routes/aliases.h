#pragma once

#include "routes/call.h"

// Routes about further names of collections.
namespace lamina::server {

Reply change_aliases(const Call& call);
Reply list_aliases(const Call& call);
Reply list_collection_aliases(const Call& call);

}  // namespace lamina::server
