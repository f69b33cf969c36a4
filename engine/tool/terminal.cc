#include "terminal.h"

#include <unistd.h>

namespace lamina::tool {

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace lamina::tool
