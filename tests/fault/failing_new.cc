#include "fault/failing_new.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocations_left = 0;
thread_local bool has_failed = false;

void* allocate(std::size_t size) {
  if (allocations_left > 0 && --allocations_left == 0) {
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

bool allocation_failed() { return has_failed; }

}  // namespace lamina::fault
