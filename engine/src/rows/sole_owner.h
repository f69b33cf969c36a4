#pragma once

#include <memory>

namespace lamina::rows {

// Whether nobody else holds `pointer`, so that what it points to may be
// changed: all that others did with it has happened before. Nobody may take a
// copy of `pointer` meanwhile.
template <class T>
bool is_sole_owner(const std::shared_ptr<T>& pointer) {
  if (pointer.use_count() != 1) return false;
  // A count that is only looked at orders nothing; taking a copy and giving it
  // back comes after the others gave theirs back.
  std::shared_ptr<T>(pointer).reset();
  return true;
}

}  // namespace lamina::rows
