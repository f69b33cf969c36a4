#pragma once

namespace lamina::tool {

bool stderr_is_terminal();

}  // namespace lamina::tool
