#pragma once

#include <cstdint>

namespace lamina::test {

// Calls of operator new by the calling thread so far. Linked only into tests
// that count: the library that holds it replaces the global operators.
std::uint64_t allocation_count();

}  // namespace lamina::test
