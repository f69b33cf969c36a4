#pragma once

#include <string>

#include "fuzz/target.h"

namespace lamina::fuzz {

// Changes what begins with the length of a header, the header or what follows
// it, and sets the length right again.
void change_tensors(Random* random, const ChangeBytes& change_bytes,
                    std::string* bytes);

}  // namespace lamina::fuzz
