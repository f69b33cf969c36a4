#include "fault/failing_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocations_left = 0;
thread_local bool is_spared = false;
std::atomic<std::uint64_t> allocations_left_elsewhere = 0;
std::atomic<bool> has_failed = false;

// Counts down to 0 and stays there; true when it gets there.
bool count_down_elsewhere() {
  if (is_spared) return false;
  std::uint64_t left = allocations_left_elsewhere;
  while (left > 0) {
    if (allocations_left_elsewhere.compare_exchange_weak(left, left - 1)) {
      return left == 1;
    }
  }
  return false;
}

void* allocate(std::size_t size) {
  if ((allocations_left > 0 && --allocations_left == 0) ||
      count_down_elsewhere()) {
    has_failed = true;
    return nullptr;
  }
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
  void* memory = allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace lamina::fault {

void fail_allocation(std::uint64_t number) {
  allocations_left = number;
  if (number > 0) has_failed = false;
}

void fail_allocation_elsewhere(std::uint64_t number) {
  is_spared = number > 0;
  if (number > 0) has_failed = false;
  allocations_left_elsewhere = number;
}

bool allocation_failed() { return has_failed; }

}  // namespace lamina::fault
