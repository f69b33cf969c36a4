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

  struct Route {
    std::array<std::atomic<std::uint64_t>, kClasses> replies{};
    std::atomic<std::uint64_t> nanoseconds{0};
  };

  // `route` is a place in routes().
  void add(std::size_t route, int status, std::chrono::nanoseconds took) {
    Route& counts = routes_[route];
    const std::size_t hundreds = static_cast<std::size_t>(status) / 100;
    counts.replies[hundreds < kClasses ? hundreds : 5].fetch_add(
        1, std::memory_order_relaxed);
    counts.nanoseconds.fetch_add(static_cast<std::uint64_t>(took.count()),
                                 std::memory_order_relaxed);
  }

  const Route& of(std::size_t route) const { return routes_[route]; }

 private:
  std::array<Route, kMaxRoutes> routes_{};
};

}  // namespace lamina::server
