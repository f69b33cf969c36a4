#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace lamina::rows {

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

// Uninitialised memory for `T`s, aligned to a cache line.
template <class T>
using AlignedArray = std::unique_ptr<T[], FreeDeleter>;

inline constexpr std::size_t kCacheLineBytes = 64;

template <class T>
AlignedArray<T> make_aligned_array(std::size_t count) {
  const std::size_t bytes = (count * sizeof(T) + kCacheLineBytes - 1) /
                            kCacheLineBytes * kCacheLineBytes;
  void* memory = std::aligned_alloc(kCacheLineBytes, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return AlignedArray<T>(static_cast<T*>(memory));
}

}  // namespace lamina::rows
