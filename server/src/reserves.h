#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace lamina::server {

// How much disk and memory are left for writes, so that they end before the
// disk is full or the kernel ends the process.
//
// Thread safety: all calls may run concurrently, but for set_limits(), which
// comes before the first.
class Reserves {
 public:
  enum class Lack { none, disk, memory };

  // Bytes that writes leave free on the disk under `directory`, and bytes of
  // memory that the process may have before they are refused. 0: no limit.
  void set_limits(std::filesystem::path directory, std::uint64_t min_free_disk,
                  std::uint64_t max_memory);

  // What a write would need and is not there. Looks at most once in 100 ms, as
  // that costs some microseconds; counts what it refuses.
  Lack check();

  std::uint64_t refused(Lack lack) const {
    return lack == Lack::disk ? refused_disk_ : refused_memory_;
  }

  // Bytes, as of now, when that is known.
  std::optional<std::uint64_t> free_disk() const;

 private:
  Lack look() const;

  std::filesystem::path directory_;
  std::uint64_t min_free_disk_ = 0;
  std::uint64_t max_memory_ = 0;
  std::atomic<std::int64_t> next_look_{0};  // Of the steady clock.
  std::atomic<Lack> found_{Lack::none};
  std::atomic<std::uint64_t> refused_disk_{0};
  std::atomic<std::uint64_t> refused_memory_{0};
};

}  // namespace lamina::server
