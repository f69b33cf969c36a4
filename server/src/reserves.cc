#include "reserves.h"

#include <utility>

#include "process_facts.h"

namespace lamina::server {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(100);

}  // namespace

void Reserves::set_limits(std::filesystem::path directory,
                          std::uint64_t min_free_disk,
                          std::uint64_t max_memory) {
  directory_ = std::move(directory);
  min_free_disk_ = min_free_disk;
  max_memory_ = max_memory;
}

Reserves::Lack Reserves::check() {
  if (min_free_disk_ == 0 && max_memory_ == 0) return Lack::none;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto next = (now + kBetweenLooks).count();
  std::int64_t due = next_look_.load(std::memory_order_relaxed);
  // Of several that come when it is time, one looks.
  if (now.count() >= due && next_look_.compare_exchange_strong(due, next)) {
    found_ = look();
  }
  const Lack lack = found_;
  if (lack == Lack::disk) ++refused_disk_;
  if (lack == Lack::memory) ++refused_memory_;
  return lack;
}

Reserves::Lack Reserves::look() const {
  const std::optional<std::uint64_t> free = free_disk();
  if (free.has_value() && *free < min_free_disk_) return Lack::disk;
  const bool too_large =
      max_memory_ > 0 && process_status("RssAnon") * 1024 > max_memory_;
  return too_large ? Lack::memory : Lack::none;
}

std::optional<std::uint64_t> Reserves::free_disk() const {
  std::error_code failed;
  const auto space = std::filesystem::space(directory_, failed);
  if (failed) return {};
  return space.available;
}

}  // namespace lamina::server
