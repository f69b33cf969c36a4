#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "catalog.h"
#include "guard.h"
#include "log.h"
#include "request_counts.h"
#include "reserves.h"
#include "write_gate.h"

namespace lamina::server {

// What all requests share beside the store.
//
// Thread safety: members keep their own; `strict` does not change.
struct ServerState {
  explicit ServerState(std::unique_ptr<Catalog> kept = nullptr)
      : catalog(kept != nullptr ? std::move(kept)
                                : std::make_unique<Catalog>()) {}

  const std::unique_ptr<Catalog> catalog;
  // Held while collections or aliases are made or dropped, so that two of them
  // never get one name.
  std::mutex names;
  WriteGate writes;
  Guard guard;
  Reserves reserves;
  Log log;
  // Requests that take as long are told of; 0: none are.
  std::chrono::milliseconds slow{0};
  // The server is about to end: no more work should be sent to it.
  std::atomic<bool> draining{false};
  RequestCounts counts;
  // Refuse settings that have no effect, rather than warn of them.
  bool strict = false;
  const std::chrono::system_clock::time_point started =
      std::chrono::system_clock::now();
};

}  // namespace lamina::server
