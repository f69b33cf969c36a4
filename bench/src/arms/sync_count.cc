#include "arms/sync_count.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {

std::atomic<std::uint64_t> count{0};

}  // namespace

// In place of the C library's, for the whole program.
extern "C" int fdatasync(int descriptor) {
  count.fetch_add(1, std::memory_order_relaxed);
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}

namespace lamina::bench {

std::uint64_t fdatasync_count() {
  return count.load(std::memory_order_relaxed);
}

}  // namespace lamina::bench
