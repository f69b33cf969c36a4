#pragma once

#include <span>
#include <string_view>

namespace lamina::server {

// One file of the page, from server/ui/.
struct UiFile {
  std::string_view name;  // "page.css"
  std::string_view content_type;
  std::string_view text;
};

std::span<const UiFile> ui_files();

}  // namespace lamina::server
