#pragma once

#include "routes/call.h"

// Routes that make writes out of others.
namespace lamina::server {

// Operations one after the other. The first that fails ends it; those before it
// stay.
Reply batch_update(const Call& call);

Reply update_vectors(const Call& call);
Reply delete_vectors(const Call& call);

}  // namespace lamina::server
