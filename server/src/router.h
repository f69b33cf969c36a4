#pragma once

#include <memory>

#include "lamina/store.h"
#include "server_state.h"
#include "transport.h"

namespace lamina::server {

// Finds the route of a request and calls it. Answers 404 and 405 itself.
//
// Thread safety: handle() may run concurrently.
// Lifetime: `store` and `state` must outlive the router.
class Router {
 public:
  Router(Store& store, ServerState& state) : store_(store), state_(&state) {}
  // With a state of its own, in memory.
  explicit Router(Store& store)
      : store_(store),
        own_state_(std::make_unique<ServerState>()),
        state_(own_state_.get()) {}

  // Never throws; whatever goes wrong inside becomes a 500.
  Reply handle(const Request& request) const;

 private:
  Store& store_;
  std::unique_ptr<ServerState> own_state_;
  ServerState* state_;
};

}  // namespace lamina::server
