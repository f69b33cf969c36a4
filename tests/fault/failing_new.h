#pragma once

#include <cstdint>

namespace lamina::fault {

// From now on the calling thread's allocation number `number`, counted from 1,
// fails; 0 ends that. The program's operator new is replaced for it.
void fail_allocation(std::uint64_t number);

// The same of all threads but the calling one, counted together.
void fail_allocation_elsewhere(std::uint64_t number);

// Whether the last one that was to fail has.
bool allocation_failed();

}  // namespace lamina::fault
