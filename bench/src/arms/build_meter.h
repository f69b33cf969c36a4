#pragma once

#include "arms/peer.h"
#include "core/clock.h"

namespace lamina::bench {

// What building takes, from construction to stop(): wall time, and heap memory
// that is still held then.
class BuildMeter {
 public:
  BuildMeter();
  void stop(PeerInfo* info) const;

 private:
  std::uint64_t heap_bytes_;
  Nanoseconds start_;
};

}  // namespace lamina::bench
