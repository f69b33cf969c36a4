#pragma once

#include "lamina/store.h"
#include "transport.h"

namespace lamina::server {

// Finds the route of a request and calls it. Answers 404 and 405 itself.
//
// Thread safety: handle() may run concurrently.
// Lifetime: `store` must outlive the router.
class Router {
 public:
  explicit Router(Store& store) : store_(store) {}

  // Never throws; whatever goes wrong inside becomes a 500.
  Reply handle(const Request& request) const;

 private:
  Store& store_;
};

}  // namespace lamina::server
