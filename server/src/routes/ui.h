#pragma once

#include "routes/call.h"

// The page for people. It holds no data, so it takes no key; what it shows, it
// asks of the other routes.
namespace lamina::server {

Reply get_ui(const Call& call);
Reply get_ui_file(const Call& call);  // {field}: what it is made of.

}  // namespace lamina::server
