#pragma once

#include <new>
#include <stdexcept>

#include "lamina/status.h"

namespace lamina {

// Nothing of ours throws, but taking memory does. Runs `call`, which returns a
// Status or a Result, and makes an error of that.
template <class Call>
auto guard_allocation(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Status::resource_exhausted("out of memory");
  } catch (const std::length_error&) {
    return Status::resource_exhausted("out of memory");
  }
}

}  // namespace lamina
