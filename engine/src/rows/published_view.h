#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "rows/row_view.h"

namespace lamina::rows {

// A view that readers take while a writer puts another in its place. Held for a
// few nanoseconds by either.
//
// Thread safety: all calls may run concurrently, but moving.
class PublishedView {
 public:
  using View = std::shared_ptr<const RowView>;

  PublishedView() = default;
  PublishedView(PublishedView&& other) noexcept
      : view_(std::move(other.view_)) {}
  PublishedView& operator=(PublishedView&& other) noexcept {
    view_ = std::move(other.view_);
    return *this;
  }

  View load() const {
    const Hold hold(taken_);
    return view_;
  }

  View exchange(View fresh) {
    const Hold hold(taken_);
    return std::exchange(view_, std::move(fresh));
  }

 private:
  // Not std::atomic<std::shared_ptr>: GCC 12's is not known to sanitizers.
  class Hold {
   public:
    explicit Hold(std::atomic_flag& taken) : taken_(taken) {
      while (taken_.test_and_set(std::memory_order_acquire)) {
        std::this_thread::yield();  // Whoever holds it was put to sleep.
      }
    }
    ~Hold() { taken_.clear(std::memory_order_release); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    std::atomic_flag& taken_;
  };

  mutable std::atomic_flag taken_;
  View view_;
};

}  // namespace lamina::rows
