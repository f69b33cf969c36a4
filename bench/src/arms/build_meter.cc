#include "arms/build_meter.h"

#include <malloc.h>

namespace lamina::bench {
namespace {

// Of all arenas, and what stands in mappings of its own. Zero where another
// allocator takes malloc's place, as that of a sanitizer does.
std::uint64_t heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace

BuildMeter::BuildMeter() : heap_bytes_(heap_bytes()), start_(wall_now()) {}

void BuildMeter::stop(PeerInfo* info) const {
  info->build_s = static_cast<double>(wall_now() - start_) * 1e-9;
  const std::uint64_t now = heap_bytes();
  info->bytes = now > heap_bytes_ ? now - heap_bytes_ : 0;
}

}  // namespace lamina::bench
