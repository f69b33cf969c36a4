#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "lamina/status.h"

namespace lamina {

// Ends the program with the status on stderr. Called by Result::value() on an
// error, in every build.
[[noreturn]] void die_without_value(const Status& status);

// Either a T or the Status that says why there is none.
//
//   Result<std::vector<Hit>> hits = items->query(vector);
//   if (!hits.ok()) return hits.status();
//   use(hits->front());
//
// Thread safety: a value; distinct objects are independent.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {  // NOLINT: implicit
    assert(!status_.ok() && "a Result without a value needs an error");
  }

  bool ok() const { return value_.has_value(); }

  // Ok when there is a value.
  const Status& status() const { return status_; }

  // The value. Ends the program with the message when there is none.
  T& value() & {
    require_value();
    return *value_;
  }
  const T& value() const& {
    require_value();
    return *value_;
  }
  T&& value() && {
    require_value();
    return *std::move(value_);
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void require_value() const {
    if (!value_.has_value()) die_without_value(status_);
  }

  std::optional<T> value_;
  Status status_;
};

}  // namespace lamina
