#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lamina::server {

inline constexpr std::size_t kMaxRoutes = 96;

// How many requests each route has answered, and how.
//
// Thread safety: all calls may run concurrently.
class RequestCounts {
 public:
  // Statuses by their hundreds: [2] are those from 200 to 299.
  static constexpr std::size_t kClasses = 6;
  // Seconds.
  static constexpr std::array<double, 16> kBounds = {
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
      0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10};

  struct Route {
    std::array<std::atomic<std::uint64_t>, kClasses> replies{};
    std::atomic<std::uint64_t> nanoseconds{0};
    // Replies by how long they took: [i] are those within kBounds[i] and not
    // within the bound before; the last are all beyond.
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> within{};
  };

  // `route` is a place in routes().
  void add(std::size_t route, int status, std::chrono::nanoseconds took) {
    Route& counts = routes_[route];
    const std::size_t hundreds = static_cast<std::size_t>(status) / 100;
    counts.replies[hundreds < kClasses ? hundreds : 5].fetch_add(
        1, std::memory_order_relaxed);
    counts.nanoseconds.fetch_add(static_cast<std::uint64_t>(took.count()),
                                 std::memory_order_relaxed);
    counts.within[place_of(std::chrono::duration<double>(took).count())]
        .fetch_add(1, std::memory_order_relaxed);
  }

  const Route& of(std::size_t route) const { return routes_[route]; }

 private:
  static std::size_t place_of(double seconds) {
    std::size_t place = 0;
    while (place < kBounds.size() && seconds > kBounds[place]) ++place;
    return place;
  }

  std::array<Route, kMaxRoutes> routes_{};
};

}  // namespace lamina::server
