#include "lamina/result.h"

#include <cstdio>
#include <cstdlib>

namespace lamina {

void die_without_value(const Status& status) {
  std::fprintf(stderr, "lamina: value() called on an error: %s\n",
               status.to_string().c_str());
  std::abort();
}

}  // namespace lamina
