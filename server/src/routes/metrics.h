#pragma once

#include "routes/call.h"

// Routes for those who watch the server.
namespace lamina::server {

// In Prometheus' text format. No name of a path is in it, only patterns.
Reply get_metrics(const Call& call);

Reply get_telemetry(const Call& call);

}  // namespace lamina::server
